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
ALTER TABLE "turns" ADD COLUMN "sources" jsonb;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;