import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels around the window in which things are drawn before they are seen. */
const MARGIN = 900;

const waiting = new Map<Element, () => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
  },
  { rootMargin: `${MARGIN}px 0px` },
);

/**
 * Draws what is in it when it comes near the window, and from then on.
 * @param height what it will take, in pixels, more or less
 * @param isFirst at once: it is in the window when the page is opened
 */
export function Near({
  height,
  isFirst = false,
  children,
}: {
  height: number;
  isFirst?: boolean;
  children: () => ComponentChildren;
}) {
  const [isNear, setNear] = useState(isFirst);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || isNear) return;
    const stop = () => {
      waiting.delete(element);
      observer.unobserve(element);
    };
    waiting.set(element, () => {
      stop();
      setNear(true);
    });
    observer.observe(element);
    return stop;
  }, [isNear]);
  return isNear ? <>{children()}</> : <div ref={ref} class="not-yet" style={{ height: `${height}px` }} />;
}
