CREATE TABLE "analytics_merge_files" (
	"id" text PRIMARY KEY NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"shard" smallint,
	"merge_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_merges" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"fence" bigint NOT NULL,
	"version" bigint NOT NULL,
	"shards" smallint NOT NULL,
	"unmerged" jsonb NOT NULL,
	"written" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"planned_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "analytics_files" ADD COLUMN "shard" smallint;--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD COLUMN "shards" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_merge_files" ADD CONSTRAINT "analytics_merge_files_merge_id_analytics_merges_id_fk" FOREIGN KEY ("merge_id") REFERENCES "public"."analytics_merges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_merges" ADD CONSTRAINT "analytics_merges_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_merge_files_merge" ON "analytics_merge_files" USING btree ("merge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_merges_project" ON "analytics_merges" USING btree ("project_id");