import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of ciphers, modes, nonces, salts and key derivation.
enum CryptographyChecks {
  /// Returns true if a type derives keys in many rounds of its own. One hash or one block of it is a
  /// step of that, and no protection by itself.
  static func stretches(_ scope: Scope, _ project: ProjectFacts) -> Bool {
    guard let owner = scope.owner, let facts = project.types[owner] else { return false }
    let functions = facts.declarations.flatMap(\.type.functions)
    let names =
      Array(facts.variables.keys)
      + functions.flatMap { $0.parameters.flatMap { [$0.label ?? "", $0.name] } }
    return names.contains { name in
      Words.split(name).contains { ["rounds", "iterations"].contains($0) }
    }
  }

  static func add(to set: inout CheckSet) {
    set.onCall(["CCCrypt", "CCCryptorCreate"]) { call, scope, pass in
      guard call.arguments.count >= 6 else { return }
      WeakCipher.algorithm(call[1], scope, pass)
      let isECB = ECBMode.mode(call[2], scope, pass)
      key(call[3], scope, pass)
      if !isECB, isBlockCipher(call[1], scope, pass) {
        StaticIV.initialisationVector(call[5], scope, pass)
      }
    }
    set.onCall(["CCCryptorCreateWithMode"]) { call, scope, pass in
      guard call.arguments.count >= 6 else { return }
      WeakCipher.algorithm(call[2], scope, pass)
      let isECB = ECBMode.mode(call[1], scope, pass)
      key(call[5], scope, pass)
      if !isECB { StaticIV.initialisationVector(call[4], scope, pass) }
    }
    set.onCall(["CCKeyDerivationPBKDF"]) { call, scope, pass in
      guard call.arguments.count >= 7, !isStrong(call[1], scope, pass) else { return }
      let names = call[5].map { pass.inspector.names(in: $0, scope) } ?? []
      WeakKDF.rounds(call[6], hash: names.first { $0.contains("PRF") } ?? "sha256", scope, pass)
      StaticSalt.salt(call[3], scope, pass)
    }
    set.onCall(["PBKDF2"]) { call, scope, pass in
      if isStrong(call["password"], scope, pass) { return }
      let hash = call["variant"].map { pass.inspector.names(in: $0, scope).joined() } ?? "sha256"
      if let given = call["iterations"] ?? call["rounds"] {
        WeakKDF.rounds(given, hash: hash, scope, pass)
      } else if call["password"] != nil, call["salt"] != nil {
        pass.report(
          .weakKDF, at: call.expression, in: scope,
          "PBKDF2 runs its default number of rounds, 4,096")
      }
      StaticSalt.salt(call["salt"], scope, pass)
    }
    set.onCall(["deriveKey", "pbkdf2", "PKCS5PBKDF2"]) { call, scope, pass in
      if let material = call["inputKeyMaterial"] {
        // A label separates keys that are made of one random key. A password needs a salt.
        if isPassword(material, scope, pass) { StaticSalt.salt(call["salt"], scope, pass) }
        return
      }
      if isStrong(call["password"] ?? call[0], scope, pass) { return }
      if let given = call["rounds"] ?? call["iterations"] {
        WeakKDF.rounds(given, hash: "sha256", scope, pass)
      }
      StaticSalt.salt(call["salt"] ?? call["withSalt"], scope, pass)
    }
    set.onCall(["AES", "Blowfish", "ChaCha20", "Rabbit"]) { call, scope, pass in
      guard call.receiver == nil, let given = call["key"] else { return }
      key(given, scope, pass)
      if let iv = call["iv"] { StaticIV.initialisationVector(iv, scope, pass) }
      if let mode = call["blockMode"], pass.inspector.names(in: mode, scope).contains("ECB") {
        pass.report(
          .ecbMode, at: mode, in: scope,
          "ECB encrypts equal blocks to equal blocks, so patterns remain visible")
      }
    }
    set.onCall(["Configuration", "RLMRealmConfiguration"]) { call, scope, pass in
      if let value = call["encryptionKey"] { password(value, scope, pass) }
    }
    set.onAssignment(["encryptionKey"]) { assignment, scope, pass in
      password(assignment.value, scope, pass)
    }
    set.onCall(["Scrypt", "scrypt"]) { call, scope, pass in
      guard let cost = call["N"] ?? call["n"] else { return }
      WeakKDF.scrypt(cost, scope, pass)
    }
    set.onCall(["hash", "bcrypt", "BCrypt", "hashPassword"]) { call, scope, pass in
      guard call.expression.calleeText.lowercased().contains("bcrypt"),
        let cost = call["cost"] ?? call["rounds"] ?? call["numRounds"]
      else { return }
      WeakKDF.bcrypt(cost, scope, pass)
    }
    set.onCall(["SymmetricKey"]) { call, scope, pass in
      if let data = call["data"] { key(data, scope, pass) }
    }
    set.onScope { scope, pass in
      for variable in scope.variables { constant(variable, scope.file, scope, pass) }
      if let function = scope.function {
        for parameter in function.parameters {
          guard let value = parameter.value,
            let rule = rule(parameter.name, literal: value, scope, pass)
          else { continue }
          report(rule, value, parameter.nameOffset, scope, pass)
        }
      }
    }
    set.onType { type, file, pass in
      let scope = Scope(file: file, owner: type.name, function: nil, parent: nil)
      for variable in type.variables { constant(variable, file, scope, pass) }
    }
    set.onFile { file, pass in
      let scope = Scope(file: file, owner: nil, function: nil, parent: nil)
      for variable in file.variables { constant(variable, file, scope, pass) }
    }
  }

  private static let labelsOfSeeds: Set<String> = [
    "Bitcoin seed", "ed25519 seed", "Nist256p1 seed",
  ]

  /// Returns true for `Data(count: 32)` and `Data(repeating: 0, count: 32)`.
  private static func isZeros(_ value: Expression) -> Bool {
    guard case .call(let callee, let arguments) = value.bare.kind, callee.lastName == "Data" else {
      return false
    }
    switch arguments.first?.label {
    case "count": return arguments.count == 1
    case "repeating":
      if case .number("0") = arguments[0].value.bare.kind { return true }
      return false
    default: return false
    }
  }

  private static func isBlockCipher(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value else { return true }
    return !pass.inspector.names(in: value, scope).contains("kCCAlgorithmRC4")
  }

  static func key(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ source(of: $0, scope) }) else { return }
    if let constant = pass.inspector.constant(value, in: scope) {
      if constant.text == "" || constant.integer != nil || scope.fills(value) { return }
      // SLIP 10 and BIP 32 prescribe these, to make the master key of a random seed.
      if constant.text.map(Self.labelsOfSeeds.contains) == true { return }
      pass.report(
        .hardcodedKey, at: constant.location,
        "the key of this cipher is in the code and the same in every installation",
        trail: [Finding.Step(scope.location(of: value.range), "used as a key here")],
        secrets: constant.secrets)
      return
    }
    password(value, scope, pass)
  }

  /// Reports a password that is used as a key.
  static func password(_ value: Expression, _ scope: Scope, _ pass: Pass) {
    if makesOneTimePasswords(scope) { return }
    if let data = hashedOnce(value, scope),
      let found = pass.inspector.sensitivity(of: data, in: scope), found.sensitivity == .credential,
      Words.split(found.name).allSatisfy({ !agreed.contains($0) })
    {
      pass.report(
        .passwordAsKey, at: value, in: scope,
        "\(found.description) is hashed and used as a key, without a key derivation function")
      return
    }
    if let found = pass.inspector.sensitivity(of: value, in: scope),
      found.sensitivity == .credential,
      // A secret that is called no more than that was drawn at random.
      Words.split(found.subject).last != "secret",
      !pass.inspector.isProtected(value, in: scope)
    {
      pass.report(
        .passwordAsKey, at: value, in: scope,
        "\(found.description) is used directly as a key, without a key derivation function")
    }
  }

  /// Returns true for code that computes one-time passwords, whose secret is a random key by
  /// definition (RFC 4226, RFC 6238).
  private static func makesOneTimePasswords(_ scope: Scope) -> Bool {
    let file = scope.file.path.split(separator: "/").last.map(String.init) ?? ""
    return [scope.function?.name ?? "", scope.owner ?? "", file].flatMap(Words.split).contains {
      ["otp", "totp", "hotp"].contains($0)
    }
  }

  /// Returns the data that a call such as `SHA256.hash(data:)` hashes, directly or through
  /// variables, or nil if there is no such call.
  private static func hashedOnce(_ value: Expression, _ scope: Scope) -> Expression? {
    var value = value.bare
    for _ in 0..<6 {
      switch value.kind {
      case .name(let name):
        guard scope.bindings[name]?.count == 1, let bound = scope.bindings[name]?.first else {
          return nil
        }
        value = bound.value.bare
      case .call(let callee, let arguments):
        // `password.sha256()`, `hash.prefix(32)`
        if case .member(let base?, let name) = callee.kind {
          if arguments.isEmpty, digests.contains(name) { return base }
          if Inspector.views.contains(name) {
            value = base.bare
            continue
          }
        }
        guard let name = callee.lastName, let first = arguments.first else { return nil }
        if name == "hash", first.label == "data", case .member(let type?, _) = callee.kind,
          type.written.hasPrefix("Insecure.") || type.written.hasPrefix("SHA")
        {
          return first.value
        }
        guard Inspector.conversions.contains(name) else { return nil }
        value = first.value.bare
      case .member(let base?, let name) where Inspector.views.contains(name): value = base.bare
      default: return nil
      }
    }
    return nil
  }

  private static let digests: Set<String> = [
    "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "MD5", "SHA1", "SHA256", "SHA512",
  ]

  /// Returns the data that a pointer in `data.withUnsafeBytes { pointer in … }` points to, and any
  /// other value unchanged.
  static func source(of value: Expression, _ scope: Scope) -> Expression {
    guard let name = value.bare.pointerRoot else { return value }
    // `[password getCString:buffer maxLength:sizeof(buffer) encoding:NSUTF8StringEncoding]`
    for call in scope.calls where call.name == "getCString" {
      if let receiver = call.receiver, call[0]?.bare.pointerRoot == name { return receiver }
    }
    for call in scope.calls
    where call.name == "withUnsafeBytes" || call.name == "withUnsafeBufferPointer" {
      guard let closure = call.arguments.last?.value, case .closure(let body) = closure.kind,
        closure.range.contains(value.range.lowerBound), body.parameters.contains(name),
        let receiver = call.receiver
      else { continue }
      return receiver
    }
    return value
  }

  /// The words that name secrets that two machines share. Such secrets cannot be guessed.
  static let agreed: Set<String> = [
    "secret", "secrets", "shared", "credential", "credentials", "otp", "totp",
  ]

  private static func constant(
    _ variable: Variable, _ file: SourceFile, _ scope: Scope, _ pass: Pass
  ) {
    guard let value = variable.value, !ScopeBuilder.isDebug(variable.condition),
      let rule = rule(variable.name, literal: value, scope, pass)
    else { return }
    if rule == .staticIV, StaticIV.onlyDecrypts(scope) { return }
    if scope.fills(Expression(.name(variable.name), variable.range)) { return }
    report(rule, value, variable.nameOffset, scope, pass)
  }

  private static func report(
    _ rule: RuleID, _ value: Expression, _ start: Int32, _ scope: Scope, _ pass: Pass
  ) {
    let range = start..<max(start + 1, value.range.upperBound)
    pass.report(
      rule, at: range, in: scope.file,
      // Only a name says what the constant is for. What a cipher takes is reported where it takes it.
      severity: rule == .staticIV || !derivesFromPasswords(scope.file, pass) ? .low : nil,
      rule == .staticIV
        ? "the IV is the same for every message"
        : "the salt is the same for every user and installation")
  }

  private static func rule(
    _ name: String, literal value: Expression, _ scope: Scope, _ pass: Pass
  ) -> RuleID? {
    let words = Words.split(name)
    let isIV =
      words.last == "iv" || words.suffix(2) == ["init", "vector"]
      || words.suffix(2) == ["initialization", "vector"] || words.last == "nonce"
      || words.suffix(2) == ["iv", "string"] || words.suffix(2) == ["iv", "data"]
      || words.suffix(2) == ["iv", "bytes"]
    let isSalt =
      words.last == "salt" || words.suffix(2) == ["salt", "string"]
      || words.suffix(2) == ["salt", "data"] || words.suffix(2) == ["salt", "bytes"]
    // Zeros are the salt of HKDF that stands for none, or a buffer (RFC 5869).
    if isSalt, isZeros(value) { return nil }
    guard isIV || isSalt, !StaticIV.isFixedByFormat(value),
      let constant = pass.inspector.constant(value, in: scope),
      constant.integer == nil, constant.file === scope.file,
      constant.origin.range.lowerBound >= value.range.lowerBound,
      constant.origin.range.upperBound <= value.range.upperBound,
      !isSalt || !isSeedOfWallet(scope) && constant.text?.hasPrefix("mnemonic") != true
    else { return nil }
    if let text = constant.text {
      if text.isEmpty || Literal.isIdentifier(text, named: name) || text.utf8.count < 4 {
        return nil
      }
      if words.last == "nonce", text.utf8.count < 8 { return nil }
    } else if case .array(let elements) = constant.origin.kind, elements.count < 8 {
      return nil
    }
    return isIV ? .staticIV : .staticSalt
  }
}

extension Expression {
  /// The callee of a call as written, or an empty text.
  fileprivate var calleeText: String {
    if case .call(let callee, _) = kind { callee.written } else { "" }
  }
}
