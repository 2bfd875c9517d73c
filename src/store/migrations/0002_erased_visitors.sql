CREATE TABLE "analytics_erased" (
	"project_id" text NOT NULL,
	"visitor" bigint NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_erased_project_id_visitor_pk" PRIMARY KEY("project_id","visitor")
);
--> statement-breakpoint
ALTER TABLE "analytics_erased" ADD CONSTRAINT "analytics_erased_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;