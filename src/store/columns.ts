import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Read values own their memory: they may be kept for long, in caches of thousands. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
  fromDriver: unpooled,
});

/**
 * Node cuts small buffers out of one of 64 kB, all of which lives as long as any of them: a hash of 32 bytes
 * would hold it.
 */
function unpooled(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.byteLength) return value;
  const own = Buffer.alloc(value.byteLength);
  value.copy(own);
  return own;
}

/**
 * Milliseconds, as a Date holds them: what was read compares equal to what is stored (cursors rely on it).
 */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
