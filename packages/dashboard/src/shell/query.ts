import { useLocation } from 'preact-iso';

/**
 * The address's query, where filters live: a reload or a copied link shows the same. Setting an empty value
 * removes it.
 */
export function useQuery(): [Record<string, string>, (changes: Record<string, string | undefined>) => void] {
  const { query, route } = useLocation();
  return [
    query,
    (changes) => {
      const params = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) params.set(name, value);
        else params.delete(name);
      }
      const search = params.toString();
      route(location.pathname + (search ? `?${search}` : ''), true);
    },
  ];
}
