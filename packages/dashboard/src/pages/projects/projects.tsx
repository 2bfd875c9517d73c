import { Plus } from 'lucide';
import { may } from '../../api/session.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useProjects } from '../../shell/current-project.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { projects: w } = text;

/** `/projects`: all visible projects. */
export default function Projects() {
  const projects = useProjects();
  const create = may('admin', null) && (
    <ButtonLink kind="primary" icon={Plus} to={to.newProject()}>
      {w.create}
    </ButtonLink>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create}>
      <Loaded from={projects}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={w.empty} action={create}>
              <p>{w.emptyHint}</p>
            </Empty>
          ) : (
            <Table
              caption={w.title}
              rows={all}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: text.shell.project,
                  isMain: true,
                  cell: ({ id }) => (
                    <span class="with-button">
                      <a href={to.project(id)}>{id}</a> <CopyButton text={id} what={text.keys.projectId} />
                    </span>
                  ),
                },
                { head: w.repository, cell: ({ repositoryUrl }) => <span class="break">{repositoryUrl}</span> },
                { head: w.model, cell: ({ model }) => model },
                { head: w.created, cell: ({ createdAt }) => <When at={createdAt} as="day" /> },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
