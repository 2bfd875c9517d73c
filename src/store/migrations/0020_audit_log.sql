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
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_project" ON "audit_log" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_key" ON "audit_log" USING btree ("actor_key_id","at","id");