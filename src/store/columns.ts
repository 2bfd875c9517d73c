import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Each value owns its memory, because caches keep thousands of them for long. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
  fromDriver: unpooled,
});

/**
 * Node allocates small buffers from shared blocks of 64 kB. A 32-byte hash would keep its whole block in
 * memory.
 */
function unpooled(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.byteLength) return value;
  const own = Buffer.alloc(value.byteLength);
  value.copy(own);
  return own;
}

/** Milliseconds, as in a Date: read values compare equal to stored ones (cursors rely on it). */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
