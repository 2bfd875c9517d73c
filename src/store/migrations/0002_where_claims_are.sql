-- docent: expand
ALTER TABLE "citations" ADD COLUMN "is_stated" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "citations" ADD COLUMN "moved_page" text;--> statement-breakpoint
ALTER TABLE "citations" ADD COLUMN "moved_line" integer;