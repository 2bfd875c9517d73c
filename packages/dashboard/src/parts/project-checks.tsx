import { useProjects } from '../shell/current-project.ts';
import { CheckBox } from './field.tsx';

/** Some of all projects. */
export function ProjectChecks({ ids, onIds }: { ids: readonly string[]; onIds: (ids: string[]) => void }) {
  const projects = useProjects();
  return (
    <div class="indent">
      {projects.data?.map(({ id }) => (
        <CheckBox
          key={id}
          label={id}
          isOn={ids.includes(id)}
          onChange={(isOn) => onIds(isOn ? [...ids, id] : ids.filter((each) => each !== id))}
        />
      ))}
    </div>
  );
}
