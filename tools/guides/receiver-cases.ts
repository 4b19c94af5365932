/** Programs that call the check of a receiver for each case in `cases.json`, and print the results as a list of booleans. */
export const CASES_PROGRAMS: Record<string, string> = {
  'cases.mjs': `
import { readFileSync } from 'node:fs'

// The rest of the file is the receiver, which would listen now.
const [check] = readFileSync('receiver.mjs', 'utf8').split('\\nconst server = ')
const { isGenuine } = await import('data:text/javascript,' + encodeURIComponent(check + '\\nexport { isGenuine }'))
const results = JSON.parse(readFileSync('cases.json', 'utf8')).map(({ secrets, headers, body_base64, version, now }) => {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return isGenuine(secrets, lower, Buffer.from(body_base64, 'base64'), version, now)
})
console.log(JSON.stringify(results))
`,

  'Cases.java': `
import com.sun.net.httpserver.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Java reads no JSON: a line of cases.txt has the parts of a case, each text in base64. */
public class Cases {
    static String decode(String text) {
        return new String(Base64.getDecoder().decode(text), java.nio.charset.StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws Exception {
        List<Boolean> results = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("cases.txt"))) {
            String[] parts = line.split(" ", -1);
            Headers headers = new Headers();
            for (String header : parts[4].isEmpty() ? new String[0] : parts[4].split(",")) {
                String[] pair = header.split(":", -1);
                headers.add(decode(pair[0]), decode(pair[1]));
            }
            List<String> secrets = Arrays.stream(parts[0].split(",", -1)).map(Cases::decode).toList();
            byte[] body = Base64.getDecoder().decode(parts[3]);
            results.add(Receiver.isGenuine(secrets, headers, body, parts[1], Long.parseLong(parts[2])));
        }
        System.out.println(results);
    }
}
`,

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
// The rest of the file is the receiver, which would answer now.
$source = file_get_contents('receiver.php');
eval(substr($source, strlen('<?php'), strpos($source, "\\n\\$secrets = ") - strlen('<?php')));

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
