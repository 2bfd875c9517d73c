CREATE TABLE "automation_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"automation_id" text NOT NULL,
	"no" integer,
	"status" text NOT NULL,
	"skipped_because" text,
	"cause" jsonb NOT NULL,
	"source" text NOT NULL,
	"delivery_id" text,
	"events" integer DEFAULT 1 NOT NULL,
	"material" jsonb,
	"job_id" text,
	"pull_request_id" text,
	"usage" jsonb,
	"summary" text,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "trigger_events" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"delivery_id" text NOT NULL,
	"project_id" text,
	"automation_id" text,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"event" text,
	"body" "bytea" NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"run_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "trigger" jsonb DEFAULT '{"type":"api"}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "hook_secret" "bytea";--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "hook_key_id" text;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "fold_into_open_pull_request" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "max_runs_per_day" integer;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "cooldown_minutes" integer;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "paused_reason" text;--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "schedule_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "automation_runs" ADD CONSTRAINT "automation_runs_automation" FOREIGN KEY ("project_id","automation_id") REFERENCES "public"."automations"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_automation" FOREIGN KEY ("project_id","automation_id") REFERENCES "public"."automations"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "automation_runs_of_automation" ON "automation_runs" USING btree ("project_id","automation_id","created_at","id");--> statement-breakpoint
CREATE INDEX "automation_runs_open" ON "automation_runs" USING btree ("project_id","automation_id","status") WHERE status IN ('queued', 'running', 'review_needed');--> statement-breakpoint
CREATE UNIQUE INDEX "automation_runs_once" ON "automation_runs" USING btree ("project_id","automation_id","source","delivery_id") WHERE source <> 'api';--> statement-breakpoint
CREATE INDEX "automation_runs_of_job" ON "automation_runs" USING btree ("job_id") WHERE job_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "trigger_events_once" ON "trigger_events" USING btree ("source","delivery_id");--> statement-breakpoint
CREATE INDEX "trigger_events_waiting" ON "trigger_events" USING btree ("due_at","received_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "trigger_events_received" ON "trigger_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "trigger_events_of_run" ON "trigger_events" USING btree ("run_id") WHERE run_id IS NOT NULL;