import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Each value owns its memory, because caches keep thousands of them for long. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
  fromDriver: unpooled,
});

/** Node cuts small buffers from a shared 64 kB one, which a 32-byte hash would keep alive. */
function unpooled(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.byteLength) return value;
  const own = Buffer.alloc(value.byteLength);
  value.copy(own);
  return own;
}

/** Milliseconds, as in a Date: read values compare equal to stored ones (cursors rely on it). */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
