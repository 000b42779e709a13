import AtRestAudit
import Foundation

// AuditScore LABELS.jsonl FOLDER audits a folder, and compares the findings with labelled problems.
// Each line of LABELS.jsonl is {id, file, line, rule, expect: find|clean|optional, why}.

struct Label: Decodable {
  let id: String
  let file: String
  let line: Int
  let rule: String
  let expect: String
  let why: String
}

guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("Usage: AuditScore LABELS.jsonl FOLDER\n".utf8))
  exit(2)
}
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
let labels = try text.split(separator: "\n").map {
  try JSONDecoder().decode(Label.self, from: Data($0.utf8))
}
let report = try Audit(tree: SourceTree(folder: CommandLine.arguments[2])).run()
let findings = report.findings

func matches(_ finding: Finding, _ label: Label) -> Bool {
  finding.rule.rawValue == label.rule && finding.location.path == label.file
    && (finding.location.start.line...max(finding.location.start.line, finding.location.end.line))
      .contains(label.line)
}

let wanted = labels.filter { $0.expect == "find" }
let missed = wanted.filter { label in !findings.contains { matches($0, label) } }
let clean = labels.filter { $0.expect == "clean" }
let flagged = clean.filter { label in findings.contains { matches($0, label) } }
let beyond = findings.filter { finding in !labels.contains { matches(finding, $0) } }

print("found \(wanted.count - missed.count) of \(wanted.count)")
for label in missed {
  print("  missed \(label.id) \(label.rule) \(label.file):\(label.line) \(label.why)")
}
print("clean lines flagged: \(flagged.count) of \(clean.count)")
for label in flagged {
  print("  flagged \(label.id) \(label.rule) \(label.file):\(label.line) \(label.why)")
}
print("beyond the labels: \(beyond.count)")
for finding in beyond {
  print(
    "  \(finding.severity.rawValue) \(finding.rule) \(finding.location.path):\(finding.location.start.line) "
      + finding.message)
}
