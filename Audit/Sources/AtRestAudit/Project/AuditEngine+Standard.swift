import Foundation

// A stand-in until the languages and rules are here.
extension AuditEngine {
  public static let standard = AuditEngine(
    rules: [
      Rule(
        "userdefaults-sensitive", "Sensitive value in UserDefaults", severity: .high,
        level: .required,
        consequence: "Whoever has a backup of the device reads the value as plain text.",
        remedy: "Keep it in the keychain.",
        references: .init(
          masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0001"], masweBeta: ["MASWE-0006"],
          mastg: ["MASTG-TEST-0300"], cwe: [312]),
        bad: .init("A.swift", "UserDefaults.standard.set(password, forKey: \"p\")"),
        good: .init("A.swift", "UserDefaults.standard.set(true, forKey: \"p\")"))
    ],
    read: { file, data in
      guard file.kind == .swift else { return Reading(file: file) }
      var directives: [Directive] = []
      var variables: [Variable] = []
      let lines = LineTable(data)
      let text = String(decoding: data, as: UTF8.self)
      var offset = 0
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if let at = line.range(of: "// atrest:") {
          directives.append(
            Directive(
              text: line[at.upperBound...].trimmingCharacters(in: .whitespaces), line: index + 1,
              followsCode: line[..<at.lowerBound].contains { $0 != " " }))
        }
        if line.contains("UserDefaults.standard.set(password") {
          let range = Int32(offset)..<Int32(offset + line.utf8.count)
          variables.append(Variable(name: String(line), range: range, nameOffset: Int32(offset)))
        }
        offset += line.utf8.count + 1
      }
      return Reading(
        file: file,
        source: SourceFile(
          path: file.path, language: .swift, variables: variables, directives: directives,
          lines: lines))
    },
    judge: { readings, _ in
      let sources = readings.compactMap(\.source)
      return Judgement(
        findings: sources.flatMap { source in
          source.variables.map { variable in
            Finding(
              rule: "userdefaults-sensitive", severity: .high,
              location: Location(
                path: source.path, start: source.lines.position(of: variable.range.lowerBound),
                end: source.lines.position(of: variable.range.upperBound)),
              message: "A credential is kept in UserDefaults.",
              anchor: variable.name.trimmingCharacters(in: .whitespaces))
          }
        })
    })
}
