import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels around the window in which content is drawn before it is visible. */
const MARGIN = 900;

const waiting = new Map<Element, () => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
  },
  { rootMargin: `${MARGIN}px 0px` },
);

/**
 * Draws its content when it first comes near the window.
 * @param height the approximate height, in pixels
 * @param isFirst draws it immediately, because it is visible when the page is opened
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
