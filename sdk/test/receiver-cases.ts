/** Programs that call the check of a receiver for each case in `cases.json`, and print the results as a list of booleans. */
export const CASES_PROGRAMS: Record<string, string> = {
  'cases.py': `
import base64, email.message, json
from receiver import is_genuine

def run(case):
    headers = email.message.Message()
    for name, value in case["headers"].items():
        headers[name] = value
    return is_genuine(case["secrets"], headers, base64.b64decode(case["body_base64"]), case["version"], case["now"])

with open("cases.json", encoding="utf-8") as file:
    print(json.dumps([run(case) for case in json.load(file)]))
`,

  'cases.php': `<?php
require 'verify.php';

$results = array_map(function (array $case): bool {
    $server = [];
    foreach ($case['headers'] as $name => $value) {
        $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
    }
    return is_genuine($case['secrets'], $server, base64_decode($case['body_base64']), $case['version'], $case['now']);
}, json_decode(file_get_contents('cases.json'), true));
echo json_encode($results);
`,

  'cases.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

func init() {
	if len(os.Args) < 2 || os.Args[1] != "cases" {
		return
	}
	var cases []struct {
		Secrets    []string
		Version    string
		Headers    map[string]string
		BodyBase64 []byte \`json:"body_base64"\`
		Now        int64
	}
	text, err := os.ReadFile("cases.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		panic(err)
	}
	results := []bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		results = append(results, isGenuine(one.Secrets, header, one.BodyBase64, one.Version, time.Unix(one.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(results)
	os.Exit(0)
}
`,
}
