CREATE UNLOGGED TABLE "live_words" (
	"job_id" text PRIMARY KEY NOT NULL,
	"watched_until" timestamp (3) with time zone NOT NULL,
	"turn_no" integer,
	"step_no" integer,
	"attempt" integer,
	"text" text DEFAULT '' NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_events" ADD COLUMN "data" jsonb;