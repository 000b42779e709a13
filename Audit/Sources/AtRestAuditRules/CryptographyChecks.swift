import AtRestAuditAnalysis
import AtRestAuditModel

/// Ciphers, modes, nonces, salts and key derivation that do not hold.
package enum CryptographyChecks {
  /// Rounds of PBKDF2 by its hash, OWASP Password Storage Cheat Sheet (2023, in force in 2026).
  static func leastRounds(_ hash: String) -> Int {
    let hash = hash.lowercased()
    if hash.contains("512") || hash.contains("384") { return 210_000 }
    if hash.contains("sha1") || hash.contains("sha_1") || hash.hasSuffix("sha") { return 1_300_000 }
    return 600_000
  }

  static func add(to set: inout CheckSet) {
    set.onCall(["CCCrypt"]) { call, scope, pass in
      guard call.arguments.count >= 6 else { return }
      algorithm(call[1], scope, pass)
      let isECB = mode(call[2], scope, pass)
      key(call[3], scope, pass)
      if !isECB, isBlockCipher(call[1], scope, pass) { initialisationVector(call[5], scope, pass) }
    }
    set.onCall(["CCCryptorCreate"]) { call, scope, pass in
      guard call.arguments.count >= 6 else { return }
      algorithm(call[1], scope, pass)
      let isECB = mode(call[2], scope, pass)
      key(call[3], scope, pass)
      if !isECB, isBlockCipher(call[1], scope, pass) { initialisationVector(call[5], scope, pass) }
    }
    set.onCall(["CCCryptorCreateWithMode"]) { call, scope, pass in
      guard call.arguments.count >= 6 else { return }
      algorithm(call[2], scope, pass)
      let isECB = mode(call[1], scope, pass)
      key(call[5], scope, pass)
      if !isECB { initialisationVector(call[4], scope, pass) }
    }
    set.onCall(["CCHmac", "CCHmacInit"]) { call, scope, pass in
      guard let value = call[1].map({ source(of: $0, scope) }), !scope.fills(value) else {
        return
      }
      literalKey(value, scope, pass)
    }
    set.onScope { scope, pass in
      for string in scope.strings { pragma(string, scope, pass) }
    }
    set.onCall(["CCKeyDerivationPBKDF"]) { call, scope, pass in
      guard call.arguments.count >= 7 else { return }
      let names = call[5].map { pass.inspector.names(in: $0, scope) } ?? []
      rounds(call[6], hash: names.first { $0.contains("PRF") } ?? "sha256", scope, pass)
      salt(call[3], scope, pass)
    }
    set.onCall(["PBKDF2"]) { call, scope, pass in
      let hash = call["variant"].map { pass.inspector.names(in: $0, scope).joined() } ?? "sha256"
      if let given = call["iterations"] ?? call["rounds"] {
        rounds(given, hash: hash, scope, pass)
      } else if call["password"] != nil, call["salt"] != nil {
        pass.report(
          .weakKdf, at: call.expression, in: scope, "PBKDF2 runs its default of rounds, 4,096")
      }
      salt(call["salt"], scope, pass)
    }
    set.onCall(["deriveKey", "pbkdf2", "PKCS5PBKDF2"]) { call, scope, pass in
      if let given = call["rounds"] ?? call["iterations"] {
        rounds(given, hash: "sha256", scope, pass)
      }
      salt(call["salt"] ?? call["withSalt"], scope, pass)
    }
    cryptoSwift(&set)
    cryptoKit(&set)
    hashes(&set)
    named(&set)
    random(&set)
    predictable(&set)
  }

  // MARK: Parameters of ciphers

  private static let weak: [String: String] = [
    "kCCAlgorithmDES": "DES", "kCCAlgorithm3DES": "Triple DES", "kCCAlgorithmRC4": "RC4",
    "kCCAlgorithmRC2": "RC2", "kCCAlgorithmCAST": "CAST", "kCCAlgorithmBlowfish": "Blowfish",
    "DES": "DES", "TripleDES": "Triple DES", "RC4": "RC4", "des": "DES", "tripleDES": "Triple DES",
    "rc4": "RC4", "rc2": "RC2", "blowfish": "Blowfish",
  ]

  private static func algorithm(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value else { return }
    for name in pass.inspector.names(in: value, scope).sorted() {
      guard let weak = weak[name] else { continue }
      pass.report(.weakCipher, at: value, in: scope, "\(weak) can be broken")
      return
    }
  }

  private static func isBlockCipher(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value else { return true }
    return !pass.inspector.names(in: value, scope).contains("kCCAlgorithmRC4")
  }

  /// Whether the mode is ECB, which is reported.
  private static func mode(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value else { return false }
    let names = pass.inspector.names(in: value, scope)
    guard names.contains("kCCOptionECBMode") || names.contains("kCCModeECB") else { return false }
    pass.report(
      .ecbMode, at: value, in: scope,
      "ECB encrypts equal blocks to equal blocks, so patterns show")
    return true
  }

  private static func key(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ source(of: $0, scope) }) else { return }
    if let constant = pass.inspector.constant(value, in: scope) {
      if constant.text == "" || constant.integer != nil || scope.fills(value) { return }
      pass.report(
        .hardcodedKey, at: constant.location,
        "the key of this cipher is in the code, the same in every installation",
        trail: [Finding.Step(scope.location(of: value.range), "used as a key here")],
        secrets: [constant.location])
      return
    }
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
      !pass.inspector.isProtected(value, in: scope)
    {
      pass.report(
        .passwordAsKey, at: value, in: scope,
        "\(found.description) is used as a key as it is, without a key derivation function")
    }
  }

  /// What goes into `SHA256.hash(data:)`, here or in the variable that is used here.
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
        guard let name = callee.lastName, let first = arguments.first else { return nil }
        if name == "hash", first.label == "data", case .member(let type?, _) = callee.kind,
          type.written.hasPrefix("Insecure.") || type.written.hasPrefix("SHA")
        {
          return first.value
        }
        guard Inspector.conversions.contains(name) else { return nil }
        value = first.value.bare
      default: return nil
      }
    }
    return nil
  }

  private static func initialisationVector(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ source(of: $0, scope) }) else { return }
    if value.isNull {
      pass.report(
        .staticIV, at: value, in: scope,
        "without an IV it is all zero, the same for every message")
      return
    }
    guard let constant = pass.inspector.constant(value, in: scope) else { return }
    // A buffer of zeros that is filled afterwards is no constant.
    if scope.fills(value) { return }
    pass.report(
      .staticIV, at: constant.location, "the IV is the same for every message",
      trail: [Finding.Step(scope.location(of: value.range), "used as an IV here")])
  }

  private static func salt(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ source(of: $0, scope) }), !value.isNull,
      let constant = pass.inspector.constant(value, in: scope), !scope.fills(value)
    else { return }
    pass.report(
      .staticSalt, at: constant.location, "the salt is the same for every user and installation",
      trail: [Finding.Step(scope.location(of: value.range), "used as a salt here")])
  }

  private static func rounds(
    _ value: Expression?, hash: String, _ scope: Scope, _ pass: Pass
  ) {
    guard let value, let constant = pass.inspector.constant(value, in: scope),
      let count = constant.integer, count < leastRounds(hash)
    else { return }
    pass.report(
      .weakKdf, at: constant.location,
      "\(count) rounds of PBKDF2 are guessed through quickly; OWASP asks for \(leastRounds(hash))",
      trail: [Finding.Step(scope.location(of: value.range), "used as the number of rounds here")])
  }

  /// What a pointer within `data.withUnsafeBytes { pointer in … }` points to.
  private static func source(of value: Expression, _ scope: Scope) -> Expression {
    guard let name = value.bare.pointerRoot else { return value }
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

  // MARK: Libraries

  private static func cryptoSwift(_ set: inout CheckSet) {
    set.onCall(["AES", "Blowfish", "ChaCha20", "Rabbit"]) { call, scope, pass in
      guard call.receiver == nil, let given = call["key"] else { return }
      key(given, scope, pass)
      if let iv = call["iv"] { initialisationVector(iv, scope, pass) }
      if let mode = call["blockMode"], pass.inspector.names(in: mode, scope).contains("ECB") {
        pass.report(
          .ecbMode, at: mode, in: scope,
          "ECB encrypts equal blocks to equal blocks, so patterns show")
      }
    }
    set.onCall(["CBC", "CTR", "GCM", "CFB", "OFB", "PCBC"]) { call, scope, pass in
      guard let iv = call["iv"] else { return }
      initialisationVector(iv, scope, pass)
    }
    set.onCall([
      "AES256EncryptWithKey", "AES128EncryptWithKey", "aes_encrypt", "AESEncryptWithKey",
      "encryptData",
    ]) { call, scope, pass in
      if let password = call["password"] ?? call["withPassword"]
        ?? (call.name == "encryptData" ? nil : call[0])
      {
        literalKey(password, scope, pass)
      }
    }
    set.onCall(["TripleDES", "DES", "RC4"]) { call, scope, pass in
      guard call.receiver == nil, call["key"] != nil else { return }
      pass.report(.weakCipher, at: call.expression, in: scope, "\(call.name) can be broken")
    }
  }

  /// `PRAGMA key = '…'` with the key in it, or a constant.
  private static func pragma(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard string.firstText?.uppercased().hasPrefix("PRAGMA KEY") == true,
      let constant = pass.inspector.constant(string, in: scope), let text = constant.text,
      let open = text.firstIndex(where: { $0 == "'" || $0 == "\"" })
    else { return }
    let key = text[text.index(after: open)...].prefix { $0 != "'" && $0 != "\"" }
    guard key.utf8.count >= 4, !key.contains("%") else { return }
    pass.report(
      .hardcodedKey, at: scope.location(of: string.range),
      "the key of this database is in the code, the same in every installation",
      secrets: [constant.location])
  }

  private static func literalKey(_ value: Expression, _ scope: Scope, _ pass: Pass) {
    guard let constant = pass.inspector.constant(value, in: scope), constant.text?.isEmpty == false
    else {
      return
    }
    pass.report(
      .hardcodedKey, at: constant.location,
      "the key of this cipher is in the code, the same in every installation",
      trail: [Finding.Step(scope.location(of: value.range), "used as a key here")],
      secrets: [constant.location])
  }

  private static func cryptoKit(_ set: inout CheckSet) {
    set.onCall(["SymmetricKey"]) { call, scope, pass in
      if let data = call["data"] { key(data, scope, pass) }
    }
    set.onCall(["Nonce"]) { call, scope, pass in
      guard let data = call["data"] else { return }
      initialisationVector(data, scope, pass)
    }
    set.onCall(["PrivateKey"]) { call, scope, pass in
      if let raw = call["rawRepresentation"] ?? call["pemRepresentation"] {
        literalKey(raw, scope, pass)
      }
    }
  }

  private static func hashes(_ set: inout CheckSet) {
    set.onCall(["CC_MD5", "CC_SHA1", "CC_MD4", "CC_MD2"]) { call, scope, pass in
      guard let data = call[0].map({ source(of: $0, scope) }) else { return }
      passwordHash(data, call, call.name.dropFirst(3).description, scope, pass)
    }
    // Good for all but what people think up.
    set.onCall(["CC_SHA224", "CC_SHA256", "CC_SHA384", "CC_SHA512"]) { call, scope, pass in
      guard let data = call[0].map({ source(of: $0, scope) }) else { return }
      passwordHash(
        data, call, call.name.dropFirst(3).description, ofPasswordsAlone: true, scope, pass)
    }
    set.onCall(["hash"]) { call, scope, pass in
      guard let data = call["data"], let hash = call.receiver?.written else { return }
      if hash.hasPrefix("Insecure.") {
        passwordHash(data, call, String(hash.dropFirst(9)), scope, pass)
      } else if ["SHA256", "SHA384", "SHA512"].contains(hash) {
        passwordHash(data, call, hash, ofPasswordsAlone: true, scope, pass)
      }
    }
    set.onCall(["update"]) { call, scope, pass in
      guard let data = call["data"] ?? call["bufferPointer"],
        let name = call.receiver?.path, let made = scope.declared[name]?.value,
        case .call(let type, _) = made.kind
      else { return }
      let hash = type.written
      if hash.hasPrefix("Insecure.") {
        passwordHash(data, call, String(hash.dropFirst(9)), scope, pass)
      } else if ["SHA256", "SHA384", "SHA512"].contains(hash) {
        passwordHash(data, call, hash, ofPasswordsAlone: true, scope, pass)
      }
    }
    set.onCall(["CC_MD5_Update", "CC_SHA1_Update"]) { call, scope, pass in
      guard let data = call[1].map({ source(of: $0, scope) }) else { return }
      passwordHash(data, call, String(call.name.dropFirst(3).dropLast(7)), scope, pass)
    }
    set.onCall([
      "md5", "sha1", "MD5", "SHA1", "md5String", "sha1String", "md5Hash", "sha1Hash",
      "MD5String", "MD5Hash",
    ]) { call, scope, pass in
      guard let data = call.receiver ?? call[0] else { return }
      passwordHash(data, call, call.name, scope, pass)
    }
  }

  private static func passwordHash(
    _ data: Expression, _ call: Scope.Call, _ hash: String, ofPasswordsAlone: Bool = false,
    _ scope: Scope, _ pass: Pass
  ) {
    let found =
      pass.inspector.sensitivity(of: data, in: scope)
      ?? call.arguments.lazy.compactMap { pass.inspector.sensitivity(of: $0.value, in: scope) }
      .first
    guard let found,
      found.sensitivity == .credential || found.sensitivity == .identity && !ofPasswordsAlone
    else { return }
    if ofPasswordsAlone, Words.split(found.name).contains(where: agreed.contains) { return }
    pass.report(
      .weakPasswordHash, at: call.expression, in: scope,
      severity: ofPasswordsAlone ? .medium : nil,
      "\(found.description) is hashed with \(hash.uppercased()), of which billions are tried a second"
    )
  }

  /// Words of secrets that two machines agree on, which cannot be guessed.
  private static let agreed: Set<String> = [
    "secret", "secrets", "shared", "credential", "credentials", "otp", "totp",
  ]

  // MARK: By name

  /// Constants that are called what they must not be.
  private static func named(_ set: inout CheckSet) {
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

  private static func constant(
    _ variable: Variable, _ file: SourceFile, _ scope: Scope, _ pass: Pass
  ) {
    guard let value = variable.value, !ScopeBuilder.isDebug(variable.condition),
      let rule = rule(variable.name, literal: value, scope, pass)
    else { return }
    if scope.fills(Expression(.name(variable.name), variable.range)) { return }
    report(rule, value, variable.nameOffset, scope, pass)
  }

  private static func report(
    _ rule: RuleID, _ value: Expression, _ start: Int32, _ scope: Scope, _ pass: Pass
  ) {
    let range = start..<max(start + 1, value.range.upperBound)
    pass.report(
      rule, at: range, in: scope.file,
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
    guard isIV || isSalt, let constant = pass.inspector.constant(value, in: scope),
      constant.integer == nil, constant.file === scope.file,
      constant.origin.range.lowerBound >= value.range.lowerBound,
      constant.origin.range.upperBound <= value.range.upperBound
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
