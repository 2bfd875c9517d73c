/**
 * Where a workflow is in Temporal, with its page in the Web UI.
 * @param uiUrl of the Web UI, without a slash at its end; null where no one has said where it answers
 */
export function placeInTemporal(workflowId: string, namespace: string, uiUrl: string | null) {
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return { workflowId, namespace, link: uiUrl === null ? null : uiUrl + path };
}
