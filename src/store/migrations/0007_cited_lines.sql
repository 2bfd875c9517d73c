ALTER TABLE "citations" ADD COLUMN "lines" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "citations" ADD COLUMN "new_lines" text;