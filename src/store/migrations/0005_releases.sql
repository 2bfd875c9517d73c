CREATE TABLE "seen_tags" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"repository" text NOT NULL,
	"tags" text[] NOT NULL,
	CONSTRAINT "seen_tags_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "annotations" ADD COLUMN "is_release" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "seen_tags" ADD CONSTRAINT "seen_tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;