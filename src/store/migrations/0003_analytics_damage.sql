CREATE TABLE "analytics_damage" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"family" text NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"min_day" integer NOT NULL,
	"max_day" integer NOT NULL,
	"reason" text NOT NULL,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "analytics_files" ADD COLUMN "sha256" "bytea";--> statement-breakpoint
ALTER TABLE "analytics_damage" ADD CONSTRAINT "analytics_damage_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;