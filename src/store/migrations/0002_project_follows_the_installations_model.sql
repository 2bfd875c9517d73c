ALTER TABLE "installation" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "names_model" boolean;