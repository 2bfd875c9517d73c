/** A workflow's location and page in the Web UI. @param uiUrl without a final slash; null if unknown */
export function placeInTemporal(workflowId: string, namespace: string, uiUrl: string | null) {
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return { workflowId, namespace, link: uiUrl === null ? null : uiUrl + path };
}
