import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Milliseconds, as a Date holds them: what was read compares equal to what is stored (cursors rely on it). */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
