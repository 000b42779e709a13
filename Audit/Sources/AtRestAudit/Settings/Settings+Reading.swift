import AtRestAuditModel
import AtRestFormats
import Yams

extension Settings {
  /// The maximum size of settings in bytes.
  static let sizeLimit = 256 * 1024

  /// Reads settings.
  ///
  /// - Parameters:
  ///   - yaml: The text of a `.atrest-audit.yml`.
  ///   - path: The path of the settings file, for messages.
  ///   - rules: The identifiers of all rules. If it is empty, any identifier is accepted.
  /// - Throws: ``SettingsError`` for the first wrong line.
  public init(yaml: String, path: String = Settings.fileName, rules: Set<RuleID> = []) throws {
    self.init()
    try SettingsReader(yaml: yaml, path: path, rules: rules).read(into: &self)
  }
}

/// Reads settings from YAML and reports each mistake with its line.
private struct SettingsReader {
  let path: String
  let rules: Set<RuleID>
  let lines: [Substring]
  let yaml: String

  init(yaml: String, path: String, rules: Set<RuleID>) {
    self.yaml = yaml
    self.path = path
    self.rules = rules
    lines = yaml.split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  func read(into settings: inout Settings) throws {
    try checkBounds()
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch let error as YamlError {
      throw self.error(error)
    }
    guard let root else { return }
    if case .scalar = root, root.null != nil { return }
    for (key, value) in try mapping(root, "The settings must be keys with values.") {
      let name = try string(key)
      guard let key = SettingsKey(rawValue: name) else {
        throw unknown("key", name, SettingsKey.allCases.map(\.rawValue), key)
      }
      try read(key, value, into: &settings)
    }
  }

  private func read(_ key: SettingsKey, _ value: Node, into settings: inout Settings) throws {
    switch key {
    case .failOn:
      settings.failOn = try choice(value, Severity.allCases.map(\.rawValue) + ["never"]) {
        Severity(rawValue: $0)
      }
    case .strict:
      guard let isStrict = value.bool else { throw error("'strict' must be true or false.", value) }
      settings.isStrict = isStrict
    case .rules:
      for (key, value) in try mapping(value, "'rules' must map rules to a severity or off.") {
        let rule = RuleID(try string(key))
        if !rules.isEmpty, !rules.contains(rule) {
          throw unknown("rule", rule.rawValue, rules.map(\.rawValue).sorted(), key)
        }
        let severity = try choice(value, ["off"] + Severity.allCases.map(\.rawValue)) {
          Severity(rawValue: $0)
        }
        settings.severities.updateValue(severity, forKey: rule)
      }
    case .exclude: settings.exclude = try globs(value, key)
    case .include: settings.include = try globs(value, key)
    case .vendored: settings.includesVendored = try includes(value)
    case .generated: settings.includesGenerated = try includes(value)
    case .tests: settings.includesTests = try includes(value)
    case .baseline: settings.baseline = try filePath(value, key)
    case .advisories: settings.advisories = try filePath(value, key)
    case .sensitiveNames:
      let kinds = SensitiveKind.allCases.map(\.rawValue)
      for (key, value) in try mapping(value, "'sensitive-names' must map words to a kind.") {
        let kind = try choice(value, kinds) { SensitiveKind(rawValue: $0) }
        settings.sensitiveNames[try string(key)] = kind
      }
    case .harmlessNames: settings.harmlessNames = try Set(strings(value, key))
    case .checklist:
      for (key, value) in try mapping(value, "'checklist' must map questions to answers.") {
        let id = try string(key)
        guard Checklist.all.contains(where: { $0.id == id }) else {
          throw unknown("question", id, Checklist.all.map(\.id), key)
        }
        let answer = try string(value)
        guard answer.contains(where: { !$0.isWhitespace }) else {
          throw error("The answer is empty. Write some text or remove the line.", value)
        }
        settings.checklist[id] = answer
      }
    }
  }

  /// The parser recurses for each bracket and each level of indentation, so both are bounded before
  /// it runs.
  private func checkBounds() throws {
    guard yaml.utf8.count <= Settings.sizeLimit else {
      throw error(
        "The settings are larger than \(Settings.sizeLimit / 1024) KiB.", line: 1, column: 1)
    }
    var depth = 0
    for (index, line) in lines.enumerated() {
      guard line.utf8.count <= 400 else {
        throw error("The line is longer than 400 bytes. Split it.", line: index + 1, column: 1)
      }
      for byte in line.utf8 {
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth = max(depth - 1, 0) }
      }
      guard depth <= 32 else {
        throw error("The settings are nested deeper than 32 levels.", line: index + 1, column: 1)
      }
    }
  }

  private func mapping(_ node: Node, _ message: String) throws -> [(Node, Node)] {
    guard case .mapping(let mapping) = node else { throw error(message, node) }
    var seen: Set<String> = []
    for (key, _) in mapping {
      let name = try string(key)
      guard seen.insert(name).inserted else {
        throw error("'\(name)' is given twice. Remove one.", key)
      }
    }
    return mapping.map { ($0.key, $0.value) }
  }

  private func string(_ node: Node) throws -> String {
    guard case .scalar(let scalar) = node else { throw error("Text is expected here.", node) }
    return scalar.string
  }

  private func strings(_ node: Node, _ key: SettingsKey) throws -> [String] {
    guard case .sequence(let sequence) = node else {
      throw error("'\(key.rawValue)' must be a list.", node)
    }
    return try sequence.map { item in
      let text = try string(item)
      guard !text.isEmpty else {
        throw error("The entry is empty. Write some text or remove the line.", item)
      }
      return text
    }
  }

  private func globs(_ node: Node, _ key: SettingsKey) throws -> [Glob] {
    try strings(node, key).map(Glob.init)
  }

  private func filePath(_ node: Node, _ key: SettingsKey) throws -> String {
    let text = try string(node)
    guard !text.isEmpty else { throw error("'\(key.rawValue)' must be a path.", node) }
    return text
  }

  private func includes(_ node: Node) throws -> Bool {
    try choice(node, ["include", "exclude"]) { $0 } == "include"
  }

  private func choice<Value>(
    _ node: Node, _ choices: [String], _ value: (String) -> Value
  ) throws -> Value {
    let text = try string(node)
    guard choices.contains(text) else { throw unknown("value", text, choices, node) }
    return value(text)
  }

  private func unknown(
    _ what: String, _ text: String, _ choices: [String], _ node: Node
  ) -> SettingsError {
    let nearest = Spelling.nearest(to: text, among: choices)
    let hint =
      nearest.map { "Did you mean '\($0)'?" } ?? "Use one of: \(choices.joined(separator: ", "))."
    return error("Unknown \(what) '\(text)'. \(hint)", node)
  }

  private func error(_ message: String, _ node: Node) -> SettingsError {
    error(message, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  private func error(_ error: YamlError) -> SettingsError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.error("This is not valid YAML: \(problem).", line: mark.line, column: mark.column)
    case .duplicatedKeysInMapping(let duplicates, let context):
      self.error(
        "'\(duplicates.first ?? "A key")' is given twice. Remove one.", line: context.mark.line,
        column: context.mark.column)
    default: self.error("This is not valid YAML: \(error)", line: 1, column: 1)
    }
  }

  private func error(_ message: String, line: Int, column: Int) -> SettingsError {
    let text = lines.indices.contains(line - 1) ? String(lines[line - 1].prefix(200)) : ""
    return SettingsError(
      path: path, position: Position(line: line, column: column), message: message, line: text)
  }
}
