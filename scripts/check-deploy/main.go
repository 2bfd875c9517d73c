// Reads the files of deploy/ as those do who run them: Kubernetes' own types, in which an unknown field is an error, and Compose's own
// loader, which validates against the Compose specification. Run by scripts/check-deploy.ts.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"apps/v1 Deployment":            func() any { return &appsv1.Deployment{} },
	"batch/v1 Job":                  func() any { return &batchv1.Job{} },
	"v1 ConfigMap":                  func() any { return &corev1.ConfigMap{} },
	"v1 PersistentVolumeClaim":      func() any { return &corev1.PersistentVolumeClaim{} },
	"v1 Secret":                     func() any { return &corev1.Secret{} },
	"v1 Service":                    func() any { return &corev1.Service{} },
	"policy/v1 PodDisruptionBudget": func() any { return &policyv1.PodDisruptionBudget{} },
}

func main() {
	failed := false
	for _, file := range os.Args[1:] {
		var err error
		if strings.HasSuffix(file, "compose.yaml") {
			err = checkCompose(file)
		} else {
			err = checkManifests(file)
		}
		if err != nil {
			failed = true
			fmt.Printf("%s: %v\n", file, err)
		}
	}
	if failed {
		os.Exit(1)
	}
}

func checkCompose(file string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err == nil {
		fmt.Printf("%s: %d services\n", file, len(project.Services))
	}
	return err
}

func checkManifests(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal(document, &meta); err != nil {
			return err
		}
		kind := meta.APIVersion + " " + meta.Kind
		make, known := kinds[kind]
		if !known {
			return fmt.Errorf("%s is not known to this check", kind)
		}
		if err := yaml.UnmarshalStrict(document, make()); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		fmt.Printf("%s: %s\n", file, kind)
	}
	return nil
}
