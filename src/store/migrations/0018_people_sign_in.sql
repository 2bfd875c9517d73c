CREATE TABLE "browser_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text,
	"operator_fingerprint" "bytea",
	"hash" "bytea" NOT NULL,
	"secret_created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"secret_used_at" timestamp (3) with time zone,
	"former_hash" "bytea",
	"former_valid_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"name" text,
	"email" text,
	"role" text NOT NULL,
	"project_ids" text[],
	"role_set_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"person_id" text,
	"operator_fingerprint" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "browser_sessions_hash" ON "browser_sessions" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "browser_sessions_former_hash" ON "browser_sessions" USING btree ("former_hash");--> statement-breakpoint
CREATE INDEX "browser_sessions_person" ON "browser_sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "browser_sessions_expires" ON "browser_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "people_subject" ON "people" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "sign_in_links_expires" ON "sign_in_links" USING btree ("expires_at");