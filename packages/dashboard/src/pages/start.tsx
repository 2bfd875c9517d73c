import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Loaded } from '../parts/page.tsx';
import { lastProject, useProjects } from '../shell/current-project.ts';
import { to } from '../shell/routes.ts';

/** `/`: leads to the last visited project, to the only one, or to all. */
export default function Start() {
  const projects = useProjects();
  return <Loaded from={projects}>{(all) => <Onward ids={all.map(({ id }) => id)} />}</Loaded>;
}

function Onward({ ids }: { ids: string[] }) {
  const { route } = useLocation();
  useEffect(() => {
    const last = lastProject.peek();
    const id = last !== null && ids.includes(last) ? last : ids.length === 1 ? ids[0] : undefined;
    route(id ? to.project(id) : to.projects(), true);
  }, []);
  return null;
}
