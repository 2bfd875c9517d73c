-- docent: expand
CREATE TABLE "access_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text,
	"origin" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_key_secrets" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"actor_key_id" text,
	"operation" text NOT NULL,
	"project_id" text,
	"target" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_id" text,
	"changed" text[] NOT NULL,
	"address" text,
	"user_agent" text,
	"request_id" text NOT NULL,
	"status" integer,
	"error_code" text,
	"replayed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "browser_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text,
	"operator_fingerprint" "bytea",
	"hash" "bytea" NOT NULL,
	"secret_created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"secret_used_at" timestamp (3) with time zone,
	"former_hash" "bytea",
	"former_valid_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"name" text,
	"email" text,
	"role" text NOT NULL,
	"project_ids" text[],
	"role_set_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"person_id" text,
	"operator_fingerprint" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "agent_ranges" (
	"url" text PRIMARY KEY NOT NULL,
	"ranges" text[] NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "analytics_erased" (
	"project_id" text NOT NULL,
	"visitor" bigint NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_erased_project_id_visitor_pk" PRIMARY KEY("project_id","visitor")
);
--> statement-breakpoint
CREATE TABLE "analytics_files" (
	"id" text PRIMARY KEY NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"project_id" text NOT NULL,
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
CREATE TABLE "analytics_projects" (
	"project_id" text PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"oldest_version" bigint DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"floor_day" integer,
	"layout" integer DEFAULT 1 NOT NULL,
	"mappings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"maintained_at" timestamp (3) with time zone,
	"maintained_fence" bigint
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
CREATE TABLE "annotations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	"is_release" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seen_tags" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"repository" text NOT NULL,
	"tags" text[] NOT NULL,
	CONSTRAINT "seen_tags_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "reader_feedback" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"path" text NOT NULL,
	"source" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"helpful" boolean,
	"comment" text,
	"contact" text,
	"code" text,
	"filename" text,
	"lang" text,
	"notes" text,
	"visitor" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reader_searches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"query" text NOT NULL,
	"clicked_path" text,
	"visitor" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_messages" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text,
	"body" text,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"unknown_attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_messages_project_id_kind_period_recipient_pk" PRIMARY KEY("project_id","kind","period","recipient")
);
--> statement-breakpoint
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
	"since" jsonb,
	"until" jsonb,
	"gathered" jsonb,
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
CREATE TABLE "automations" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"file" text,
	"instructions" text,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"model" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"webhook" jsonb,
	"webhook_secret" "bytea",
	"webhook_key_id" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"trigger" jsonb DEFAULT '{"type":"api"}'::jsonb NOT NULL,
	"hook_secret" "bytea",
	"hook_key_id" text,
	"fold_into_open_pull_request" boolean DEFAULT true NOT NULL,
	"max_runs_per_day" integer,
	"cooldown_minutes" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_reason" text,
	"schedule_due" boolean DEFAULT false NOT NULL,
	"code_heads" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_triggered_at" timestamp (3) with time zone,
	"last_job_id" text,
	CONSTRAINT "automations_project_id_id_pk" PRIMARY KEY("project_id","id")
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
CREATE TABLE "host_hooks" (
	"host_id" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp (3) with time zone,
	"received_event" text,
	"refused_at" timestamp (3) with time zone,
	"refused_reason" text
);
--> statement-breakpoint
CREATE TABLE "host_repositories" (
	"host_id" text NOT NULL,
	"repository_id" text NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"cursor" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"poll_problem" text,
	"poll_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "host_repositories_host_id_repository_id_pk" PRIMARY KEY("host_id","repository_id")
);
--> statement-breakpoint
CREATE TABLE "host_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text,
	"message_no" integer,
	"pull_request_id" text,
	"place" jsonb NOT NULL,
	"thread" text NOT NULL,
	"reacted_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"reply_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "periodic_tasks" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "attachment_uses" (
	"attachment_id" text NOT NULL,
	"job_id" text NOT NULL,
	CONSTRAINT "attachment_uses_job_id_attachment_id_pk" PRIMARY KEY("job_id","attachment_id")
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer,
	"height" integer,
	"sha256" text NOT NULL,
	"blob_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "attachments" ALTER COLUMN "content" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "changed_pages" (
	"job_id" text NOT NULL,
	"of" text NOT NULL,
	"path" text NOT NULL,
	"before" text,
	"after" text,
	CONSTRAINT "changed_pages_job_id_of_path_pk" PRIMARY KEY("job_id","of","path")
);
--> statement-breakpoint
CREATE TABLE "check_rounds" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"pages" integer NOT NULL,
	"site" text NOT NULL,
	"problems" jsonb NOT NULL,
	"earlier_problems" integer NOT NULL,
	"notes" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"addresses" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"told" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "check_rounds_job_id_turn_no_step_no_pk" PRIMARY KEY("job_id","turn_no","step_no")
);
--> statement-breakpoint
CREATE TABLE "pending_diffs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"base_commit" text NOT NULL,
	"diff" text NOT NULL,
	"is_cut" boolean NOT NULL,
	"files" integer NOT NULL,
	"additions" integer NOT NULL,
	"deletions" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "citations" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"no" integer NOT NULL,
	"page" text NOT NULL,
	"line" integer NOT NULL,
	"claim" text NOT NULL,
	"source" text NOT NULL,
	"repository" text NOT NULL,
	"path" text NOT NULL,
	"commit" text NOT NULL,
	"from_line" integer NOT NULL,
	"to_line" integer NOT NULL,
	"sha256" text NOT NULL,
	"lines" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"new_lines" text,
	"is_stated" boolean DEFAULT true NOT NULL,
	"moved_page" text,
	"moved_line" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "citations_job_id_turn_no_no_pk" PRIMARY KEY("job_id","turn_no","no")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_texts" (
	"job_id" text PRIMARY KEY NOT NULL,
	"watched_until" timestamp (3) with time zone NOT NULL,
	"turn_no" integer,
	"step_no" integer,
	"attempt" integer,
	"text" text DEFAULT '' NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "web_pages" (
	"job_id" text NOT NULL,
	"asked" text NOT NULL,
	"url" text NOT NULL,
	"text" text NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "web_pages_job_id_asked_pk" PRIMARY KEY("job_id","asked")
);
--> statement-breakpoint
CREATE TABLE "project_secrets" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_secrets_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"host" text NOT NULL,
	"repository" text NOT NULL,
	"repository_id" text,
	"ref" text NOT NULL,
	"paths" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sources_project_id_name_pk" PRIMARY KEY("project_id","name")
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
	"last_used_at" timestamp (3) with time zone,
	"secret_created_at" timestamp (3) with time zone,
	"link_hash" "bytea",
	"link_password" "bytea"
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
	"model" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_events" (
	"job_id" text NOT NULL,
	"no" integer NOT NULL,
	"type" text NOT NULL,
	"turn_no" integer,
	"text" text NOT NULL,
	"data" jsonb,
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
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"automation_id" text,
	"created_by" text,
	"created_by_name" text,
	"pending_changes" jsonb,
	"publish_order" jsonb,
	"summary" text,
	"outcome" text,
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
	"queue_no" bigint,
	"slot_reserved_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"transcript_removed_at" timestamp (3) with time zone,
	"events_removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"job_id" text NOT NULL,
	"no" integer NOT NULL,
	"id" text NOT NULL,
	"prompt" text NOT NULL,
	"attachments" jsonb DEFAULT '[]'::jsonb NOT NULL,
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
CREATE TABLE "model_keys" (
	"provider" text PRIMARY KEY NOT NULL,
	"base_url" text,
	"secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
	"model" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"automations_applied_at" timestamp (3) with time zone
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
	"checks" jsonb,
	"mergeable" boolean,
	"review" text,
	"polled_at" timestamp (3) with time zone,
	"poll_problem" text,
	"next_poll_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
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
	"remark" text,
	"summary" text,
	"outcome" text,
	"error_code" text,
	"error_message" text,
	"steps" integer DEFAULT 0 NOT NULL,
	"activity_ms" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"answered_after" integer,
	"sources" jsonb,
	"claims_without_source" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "turns_job_id_no_pk" PRIMARY KEY("job_id","no")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"no" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ms" integer NOT NULL,
	"status" integer,
	"problem" text,
	"response" text,
	CONSTRAINT "webhook_attempts_delivery_id_no_pk" PRIMARY KEY("delivery_id","no")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"once_key" text,
	"target" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_before" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"start_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"events" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"secret" "bytea",
	"key_id" text,
	"previous_secret" "bytea",
	"previous_key_id" text,
	"previous_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_key_secrets" ADD CONSTRAINT "former_key_secrets_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_damage" ADD CONSTRAINT "analytics_damage_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_erased" ADD CONSTRAINT "analytics_erased_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_files" ADD CONSTRAINT "analytics_files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD CONSTRAINT "analytics_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_salts" ADD CONSTRAINT "analytics_salts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_tags" ADD CONSTRAINT "seen_tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_feedback" ADD CONSTRAINT "reader_feedback_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_searches" ADD CONSTRAINT "reader_searches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_messages" ADD CONSTRAINT "analytics_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_runs" ADD CONSTRAINT "automation_runs_automation" FOREIGN KEY ("project_id","automation_id") REFERENCES "public"."automations"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automations" ADD CONSTRAINT "automations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_automation" FOREIGN KEY ("project_id","automation_id") REFERENCES "public"."automations"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_hooks" ADD CONSTRAINT "host_hooks_host_id_code_hosts_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."code_hosts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_host_id_code_hosts_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."code_hosts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_messages" ADD CONSTRAINT "host_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_messages" ADD CONSTRAINT "host_messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_usage" ADD CONSTRAINT "removed_usage_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_attachment_id_attachments_id_fk" FOREIGN KEY ("attachment_id") REFERENCES "public"."attachments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changed_pages" ADD CONSTRAINT "changed_pages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_rounds" ADD CONSTRAINT "check_rounds_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_diffs" ADD CONSTRAINT "pending_diffs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "citations" ADD CONSTRAINT "citations_turn" FOREIGN KEY ("job_id","turn_no") REFERENCES "public"."turns"("job_id","no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_pages" ADD CONSTRAINT "web_pages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_secrets" ADD CONSTRAINT "project_secrets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_files" ADD CONSTRAINT "overlay_files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publish_leases" ADD CONSTRAINT "publish_leases_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD CONSTRAINT "pull_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript" ADD CONSTRAINT "transcript_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_hash" ON "access_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "access_tokens_expires" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "access_tokens_key" ON "access_tokens" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "former_key_secrets_key" ON "former_key_secrets" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_project" ON "audit_log" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_key" ON "audit_log" USING btree ("actor_key_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_operation" ON "audit_log" USING btree ("operation","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor_kind" ON "audit_log" USING btree ("actor_kind","at","id") WHERE actor_kind IN ('operator', 'anonymous', 'maintenance');--> statement-breakpoint
CREATE UNIQUE INDEX "browser_sessions_hash" ON "browser_sessions" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "browser_sessions_former_hash" ON "browser_sessions" USING btree ("former_hash");--> statement-breakpoint
CREATE INDEX "browser_sessions_person" ON "browser_sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "browser_sessions_expires" ON "browser_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "people_subject" ON "people" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "sign_in_links_expires" ON "sign_in_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "analytics_files_live" ON "analytics_files" USING btree ("project_id","family") WHERE removed_version IS NULL;--> statement-breakpoint
CREATE INDEX "analytics_files_version" ON "analytics_files" USING btree ("project_id","added_version");--> statement-breakpoint
CREATE INDEX "analytics_files_removed" ON "analytics_files" USING btree ("removed_at") WHERE removed_version IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_files_source" ON "analytics_files" USING btree ("project_id","source");--> statement-breakpoint
CREATE INDEX "analytics_listings_expiry" ON "analytics_listings" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "annotations_project" ON "annotations" USING btree ("project_id","at");--> statement-breakpoint
CREATE INDEX "reader_feedback_project" ON "reader_feedback" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "reader_searches_project" ON "reader_searches" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "analytics_messages_due" ON "analytics_messages" USING btree ("due_at") WHERE state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "analytics_messages_created" ON "analytics_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "automation_runs_of_automation" ON "automation_runs" USING btree ("project_id","automation_id","created_at","id");--> statement-breakpoint
CREATE INDEX "automation_runs_open" ON "automation_runs" USING btree ("project_id","automation_id","status") WHERE status IN ('queued', 'running', 'review_needed');--> statement-breakpoint
CREATE UNIQUE INDEX "automation_runs_once" ON "automation_runs" USING btree ("project_id","automation_id","source","delivery_id") WHERE source <> 'api';--> statement-breakpoint
CREATE INDEX "automation_runs_of_job" ON "automation_runs" USING btree ("job_id") WHERE job_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "automations_name" ON "automations" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "automations_of_project" ON "automations" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "trigger_events_once" ON "trigger_events" USING btree ("source","delivery_id");--> statement-breakpoint
CREATE INDEX "trigger_events_waiting" ON "trigger_events" USING btree ("due_at","received_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "trigger_events_received" ON "trigger_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "trigger_events_of_run" ON "trigger_events" USING btree ("run_id") WHERE run_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "host_repositories_due" ON "host_repositories" USING btree ("poll_at");--> statement-breakpoint
CREATE INDEX "host_messages_of_job" ON "host_messages" USING btree ("job_id","thread");--> statement-breakpoint
CREATE INDEX "host_messages_of_project" ON "host_messages" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "host_messages_due" ON "host_messages" USING btree ("due_at") WHERE message_no IS NOT NULL AND answered_at IS NULL;--> statement-breakpoint
CREATE INDEX "attachment_uses_attachment" ON "attachment_uses" USING btree ("attachment_id");--> statement-breakpoint
CREATE INDEX "attachments_of_project" ON "attachments" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "attachments_expiry" ON "attachments" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "control_requests_created" ON "control_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_of_project" ON "jobs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_of_project_by_status" ON "jobs" USING btree ("project_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_of_project_by_outcome" ON "jobs" USING btree ("project_id",(CASE WHEN status <> 'active' THEN outcome END),"created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_of_project_by_model" ON "jobs" USING btree ("project_id","model","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_with_pull_request" ON "jobs" USING btree ("project_id","created_at","id") WHERE pr_link IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_ready" ON "jobs" USING btree ("project_id","created_at","id") WHERE pending_changes IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_of_branch" ON "jobs" USING btree ("project_id",(options ->> 'branch')) WHERE (options ->> 'branch') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_metadata" ON "jobs" USING gin ("metadata" jsonb_path_ops) WHERE metadata <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX "jobs_of_automation" ON "jobs" USING btree ("project_id","automation_id","created_at","id") WHERE automation_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_of_creator" ON "jobs" USING btree ("project_id","created_by","created_at","id") WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_unsettled" ON "jobs" USING btree ("updated_at","id") WHERE (status = 'active' OR signal_pending);--> statement-breakpoint
CREATE INDEX "jobs_queued" ON "jobs" USING btree ("project_id","queue_no") WHERE queue_no IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_with_reserved_slot" ON "jobs" USING btree ("slot_reserved_at") WHERE slot_reserved_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_archived" ON "jobs" USING btree ("archived_at","id") WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_with_transcript" ON "jobs" USING btree ("archived_at","id") WHERE archived_at IS NOT NULL AND (transcript_removed_at IS NULL OR transcript_removed_at < archived_at);--> statement-breakpoint
CREATE INDEX "jobs_with_events" ON "jobs" USING btree ("archived_at","id") WHERE archived_at IS NOT NULL AND (events_removed_at IS NULL OR events_removed_at < archived_at);--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("job_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_job_created" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "model_calls_project_created" ON "model_calls" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "pull_requests_head" ON "pull_requests" USING btree ("project_id","head_branch");--> statement-breakpoint
CREATE INDEX "pull_requests_job" ON "pull_requests" USING btree ("job_id","chain_no");--> statement-breakpoint
CREATE INDEX "pull_requests_of_project" ON "pull_requests" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "pull_requests_open" ON "pull_requests" USING btree ("project_id","created_at","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "pull_requests_by_state" ON "pull_requests" USING btree ("project_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "pull_requests_settled" ON "pull_requests" USING btree ("project_id","settled_at") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "pull_requests_due" ON "pull_requests" USING btree ("next_poll_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "turns_running" ON "turns" USING btree ("job_id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_webhook" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_undelivered" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id") WHERE state <> 'delivered';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("webhook_id","once_key");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("start_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claimed" ON "webhook_deliveries" USING btree ("target","claimed_until") WHERE claimed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_of_project" ON "webhooks" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_of_job" ON "webhooks" USING btree ("job_id");