CREATE TABLE "host_hooks" (
	"host_id" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp (3) with time zone,
	"received_event" text,
	"refused_at" timestamp (3) with time zone,
	"refused_reason" text
);
--> statement-breakpoint
CREATE TABLE "host_repositories" (
	"host_id" text NOT NULL,
	"repository_id" text NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"cursor" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"poll_problem" text,
	"poll_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "host_repositories_host_id_repository_id_pk" PRIMARY KEY("host_id","repository_id")
);
--> statement-breakpoint
ALTER TABLE "host_hooks" ADD CONSTRAINT "host_hooks_host_id_code_hosts_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."code_hosts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_host_id_code_hosts_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."code_hosts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "host_repositories_due" ON "host_repositories" USING btree ("poll_at");