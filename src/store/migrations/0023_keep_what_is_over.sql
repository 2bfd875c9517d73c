CREATE TABLE "removed_usage" (
	"project_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"jobs" integer NOT NULL,
	"model_calls" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_nano_usd" bigint NOT NULL,
	"unpriced_calls" bigint NOT NULL,
	CONSTRAINT "removed_usage_project_id_hour_pk" PRIMARY KEY("project_id","hour")
);
--> statement-breakpoint
CREATE TABLE "retention_runs" (
	"rule" text PRIMARY KEY NOT NULL,
	"keep_days" integer,
	"ran_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed" bigint DEFAULT 0 NOT NULL,
	"removed_in_all" bigint DEFAULT 0 NOT NULL,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "transcript_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "events_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "removed_usage" ADD CONSTRAINT "removed_usage_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;