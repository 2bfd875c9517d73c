CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"project_ids" text[],
	"allowed_addresses" text[],
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"status" integer,
	"response" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_owner_route_key_pk" PRIMARY KEY("owner","route","key")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_events" (
	"job_id" text NOT NULL,
	"no" integer NOT NULL,
	"type" text NOT NULL,
	"turn_no" integer,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_events_job_id_no_pk" PRIMARY KEY("job_id","no")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_before_archive" text,
	"model" text NOT NULL,
	"repository_url" text NOT NULL,
	"base_ref" text NOT NULL,
	"branch" text,
	"pr_link" text,
	"title" text NOT NULL,
	"summary" text,
	"error_code" text,
	"error_message" text,
	"last_message_no" integer DEFAULT 0 NOT NULL,
	"last_turn_no" integer DEFAULT 0 NOT NULL,
	"last_event_no" integer DEFAULT 0 NOT NULL,
	"cancel_requested_at" timestamp (3) with time zone,
	"bell_pending" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"job_id" text NOT NULL,
	"no" integer NOT NULL,
	"id" text NOT NULL,
	"prompt" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"turn_no" integer,
	"step_no" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_job_id_no_pk" PRIMARY KEY("job_id","no")
);
--> statement-breakpoint
CREATE TABLE "overlay_files" (
	"job_id" text NOT NULL,
	"path" text NOT NULL,
	"content" text,
	"blob_id" text,
	"turn_no" integer NOT NULL,
	CONSTRAINT "overlay_files_job_id_path_pk" PRIMARY KEY("job_id","path")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text DEFAULT 'local' NOT NULL,
	"repository" text NOT NULL,
	"ref" text NOT NULL,
	"docs_dir" text DEFAULT '' NOT NULL,
	"model" text NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pull_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text NOT NULL,
	"chain_no" integer NOT NULL,
	"repository" text NOT NULL,
	"head_branch" text NOT NULL,
	"base_branch" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"diff" text DEFAULT '' NOT NULL,
	"commits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"head_commit" text NOT NULL,
	"merge_commit" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transcript" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"part" text NOT NULL,
	"entries" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcript_job_id_turn_no_step_no_part_pk" PRIMARY KEY("job_id","turn_no","step_no","part")
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"job_id" text NOT NULL,
	"no" integer NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"chain_no" integer DEFAULT 1 NOT NULL,
	"branch" text,
	"base_commit" text,
	"chain_base_commit" text,
	"expected_tip" text,
	"commit_time" timestamp (3) with time zone NOT NULL,
	"commit" text,
	"commit_message" text,
	"diff" text,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"summary" text,
	"error_code" text,
	"error_message" text,
	"steps" integer DEFAULT 0 NOT NULL,
	"activity_ms" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "turns_job_id_no_pk" PRIMARY KEY("job_id","no")
);
--> statement-breakpoint
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_files" ADD CONSTRAINT "overlay_files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD CONSTRAINT "pull_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript" ADD CONSTRAINT "transcript_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_project_created" ON "jobs" USING btree ("project_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "jobs_active" ON "jobs" USING btree ("updated_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("job_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_job_created" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "pull_requests_head" ON "pull_requests" USING btree ("project_id","head_branch");--> statement-breakpoint
CREATE INDEX "pull_requests_job" ON "pull_requests" USING btree ("job_id","chain_no");