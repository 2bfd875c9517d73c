CREATE TABLE "analytics_files" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"source" text,
	"added_version" bigint NOT NULL,
	"removed_version" bigint,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "analytics_pages" (
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
	"salt_policy" text DEFAULT 'fixed' NOT NULL,
	"retention_days" integer
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
ALTER TABLE "analytics_files" ADD CONSTRAINT "analytics_files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD CONSTRAINT "analytics_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_salts" ADD CONSTRAINT "analytics_salts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_files_live" ON "analytics_files" USING btree ("project_id","family") WHERE removed_version IS NULL;--> statement-breakpoint
CREATE INDEX "analytics_files_version" ON "analytics_files" USING btree ("project_id","added_version");--> statement-breakpoint
CREATE INDEX "analytics_files_removed" ON "analytics_files" USING btree ("removed_at") WHERE removed_version IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_files_source" ON "analytics_files" USING btree ("project_id","source");--> statement-breakpoint
CREATE INDEX "analytics_pages_expiry" ON "analytics_pages" USING btree ("expires_at");