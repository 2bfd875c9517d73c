// Reads the files of deploy/ as their users' programs do: kustomize's own builder, Kubernetes' own types, in which an unknown field is an
// error, and Compose's own loader, which validates against the Compose specification. Its arguments are a file for Compose's services, as JSON
// with all variables replaced, and the files. Run by scripts/check-deploy.ts.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"apps/v1 Deployment":            func() any { return &appsv1.Deployment{} },
	"batch/v1 Job":                  func() any { return &batchv1.Job{} },
	"v1 ConfigMap":                  func() any { return &corev1.ConfigMap{} },
	"v1 PersistentVolumeClaim":      func() any { return &corev1.PersistentVolumeClaim{} },
	"v1 Secret":                     func() any { return &corev1.Secret{} },
	"v1 Service":                    func() any { return &corev1.Service{} },
	"networking.k8s.io/v1 Ingress":  func() any { return &networkingv1.Ingress{} },
	"policy/v1 PodDisruptionBudget": func() any { return &policyv1.PodDisruptionBudget{} },
}

func main() {
	failed := false
	for _, file := range os.Args[2:] {
		var err error
		switch filepath.Base(file) {
		case "compose.yaml":
			err = checkCompose(file, os.Args[1])
		case "kustomization.yaml":
			err = checkKustomization(file)
		default:
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

func checkCompose(file, servicesFile string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d services\n", file, len(project.Services))
	services, err := json.Marshal(project.Services)
	if err != nil {
		return err
	}
	return os.WriteFile(servicesFile, services, 0o600)
}

func checkKustomization(file string) error {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Dir(file))
	if err != nil {
		return err
	}
	text, err := resources.AsYaml()
	if err != nil {
		return err
	}
	return checkDocuments(file, text)
}

func checkManifests(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return checkDocuments(file, text)
}

func checkDocuments(file string, text []byte) error {
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
