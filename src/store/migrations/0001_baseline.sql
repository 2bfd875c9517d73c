-- docent: expand
CREATE TABLE "analytics_damage" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"reason" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea",
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_deletions" (
	"path" text PRIMARY KEY NOT NULL,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_files" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"source" text,
	"added_version" bigint NOT NULL,
	"removed_version" bigint,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "analytics_folder" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"path" text NOT NULL,
	"host" text NOT NULL,
	"claimed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_folder_singleton" CHECK ("analytics_folder"."singleton")
);
--> statement-breakpoint
CREATE TABLE "analytics_listings" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"no" bigserial NOT NULL,
	"name" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"path" text NOT NULL,
	"nonce" text NOT NULL,
	"sees_others" boolean NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_projects" (
	"project_id" text PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"oldest_version" bigint DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"floor_day" integer,
	"layout" integer DEFAULT 1 NOT NULL,
	"mappings" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_salts" (
	"project_id" text NOT NULL,
	"period" text NOT NULL,
	"salt" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_salts_project_id_period_pk" PRIMARY KEY("project_id","period")
);
--> statement-breakpoint
CREATE TABLE "analytics_writers" (
	"id" text PRIMARY KEY NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"consumed" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "code_hosts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"web_url" text NOT NULL,
	"api_url" text NOT NULL,
	"app_id" text,
	"credential" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "control_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"input" jsonb NOT NULL,
	"requested_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"result" jsonb
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
	"model_calls" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cached_input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_nano_usd" bigint DEFAULT 0 NOT NULL,
	"unpriced_calls" integer DEFAULT 0 NOT NULL,
	"progress" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"signal_pending" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "model_calls" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"project_id" text NOT NULL,
	"model" text NOT NULL,
	"state" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_nano_usd" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_calls_job_id_turn_no_step_no_pk" PRIMARY KEY("job_id","turn_no","step_no")
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
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" text NOT NULL,
	"level" integer NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text DEFAULT 'local' NOT NULL,
	"repository" text NOT NULL,
	"repository_id" text,
	"ref" text NOT NULL,
	"docs_dir" text DEFAULT '' NOT NULL,
	"model" text NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publish_leases" (
	"job_id" text PRIMARY KEY NOT NULL,
	"fence" bigint NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pull_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text NOT NULL,
	"chain_no" integer NOT NULL,
	"number" integer,
	"link" text,
	"repository" text NOT NULL,
	"repository_id" text,
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
CREATE TABLE "schema_version" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"level" integer NOT NULL,
	"min_compatible" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
ALTER TABLE "analytics_damage" ADD CONSTRAINT "analytics_damage_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_files" ADD CONSTRAINT "analytics_files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD CONSTRAINT "analytics_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_salts" ADD CONSTRAINT "analytics_salts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_files" ADD CONSTRAINT "overlay_files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publish_leases" ADD CONSTRAINT "publish_leases_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD CONSTRAINT "pull_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript" ADD CONSTRAINT "transcript_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_files_live" ON "analytics_files" USING btree ("project_id","family") WHERE removed_version IS NULL;--> statement-breakpoint
CREATE INDEX "analytics_files_version" ON "analytics_files" USING btree ("project_id","added_version");--> statement-breakpoint
CREATE INDEX "analytics_files_removed" ON "analytics_files" USING btree ("removed_at") WHERE removed_version IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_files_source" ON "analytics_files" USING btree ("project_id","source");--> statement-breakpoint
CREATE INDEX "analytics_listings_expiry" ON "analytics_listings" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "control_requests_created" ON "control_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_of_project" ON "jobs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_of_project_by_status" ON "jobs" USING btree ("project_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_unsettled" ON "jobs" USING btree ("updated_at","id") WHERE (status = 'active' OR signal_pending);--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("job_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_job_created" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "model_calls_project_created" ON "model_calls" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "pull_requests_head" ON "pull_requests" USING btree ("project_id","head_branch");--> statement-breakpoint
CREATE INDEX "pull_requests_job" ON "pull_requests" USING btree ("job_id","chain_no");
