import AtRestAuditModel

/// The weight of evidence: its tier, what supports it, and how severe a finding on it can be.
package struct Weight: Sendable {
  package let basis: Basis
  /// The highest severity of a finding that rests on the evidence.
  package let limit: Severity

  package init(basis: Basis, limit: Severity) {
    self.basis = basis
    self.limit = limit
  }
}

extension Inspector {
  /// Weighs the evidence that a value is sensitive, or returns nil if it is too weak for a finding.
  ///
  /// Proved evidence allows every severity. A name with a witness allows `medium`, and `high` for a
  /// type that can hold a secret. A name alone allows `low`, and a name with several meanings nothing.
  package func weigh(_ evidence: Evidence, in scope: Scope) -> Weight? {
    let all = [evidence] + evidence.support
    let weights = all.compactMap { evidence in
      weigh(alone: evidence, in: scope).map {
        Weight(basis: $0.basis, limit: min($0.limit, evidence.cap))
      }
    }
    return weights.max { ($0.basis.tier, $0.limit) < ($1.basis.tier, $1.limit) }
  }

  private func weigh(alone evidence: Evidence, in scope: Scope) -> Weight? {
    if let type = evidence.type, holdsOnlyProtected(type) { return nil }
    switch evidence.source {
    case .secureField, .keychain: return Weight(basis: Basis(.proved), limit: .high)
    case .field, .use: return Weight(basis: Basis(.witnessed), limit: .high)
    case .type: return Weight(basis: Basis(.named), limit: .low)
    case .name, .entry, .caption: break
    }
    if evidence.sensitivity == .payment, isOfOther(account: evidence, in: scope) { return nil }
    guard evidence.sensitivity.isSecret || evidence.sensitivity == .payment else {
      return Weight(
        basis: Basis(isFromSensor(evidence, scope) ? .witnessed : .named),
        limit: isFromSensor(evidence, scope) ? .medium : .low)
    }
    if let type = evidence.type, Self.secretTypes.contains(TypeName.plain(type)) {
      return Weight(basis: Basis(.witnessed), limit: .high)
    }
    if let step = evidence.witness {
      return Weight(basis: Basis(.witnessed, witnesses: [step]), limit: .high)
    }
    if let step = uses?.witness(
      for: evidence.subject, owner: evidence.owner, file: scope.file.path)
    {
      let isWeak = WeakNames.contains(evidence.subject, of: evidence.owner)
      return Weight(
        basis: Basis(.witnessed, witnesses: [step]),
        limit: evidence.type == nil && isWeak ? .medium : .high)
    }
    return uses != nil && WeakNames.contains(evidence.subject, of: evidence.owner)
      ? nil : Weight(basis: Basis(.named), limit: .low)
  }

  /// Returns true for a struct or class of the project that keeps only what its initialisers encrypted or
  /// hashed: a `BackupPassword` whose one property is set to `text.sha256`.
  private func holdsOnlyProtected(_ type: String) -> Bool {
    let plain = TypeName.plain(type)
    guard let facts = project.types[plain],
      facts.declarations.contains(where: { [.struct, .class].contains($0.type.form) })
    else { return false }
    let stored = facts.variables.filter { !$1.variable.isStatic && $1.variable.accessors.isEmpty }
    guard (1...3).contains(stored.count) else { return false }
    return stored.keys.allSatisfy { name in
      let values = values(storedIn: name, of: plain)
      return !values.isEmpty && values.allSatisfy { isProtected($0.value, in: $0.scope) }
    }
  }

  /// Returns true for the number of an account that nothing around it shows to be one at a bank. It can be
  /// the name of a member, or the public key of a wallet, which everybody may see.
  private func isOfOther(account evidence: Evidence, in scope: Scope) -> Bool {
    let own = Words.split(evidence.subject)
    guard let place = own.lastIndex(where: { ["account", "acct"].contains($0) }),
      own[(place + 1)...].allSatisfy({ ["number", "no", "num", "nr", "id"].contains($0) })
    else { return false }
    let facts = evidence.owner.flatMap { project.types[$0] }
    let file = scope.file.path.split(separator: "/").last?.split(separator: ".").first
    let names =
      [evidence.name, evidence.owner, scope.owner, scope.function?.name].compactMap(\.self)
      + scope.file.folders.map(String.init) + [file.map(String.init) ?? ""]
      + (facts.map { Array($0.variables.keys) } ?? [])
      + (scope.function?.parameters.map(\.name) ?? [])
    return !names.contains { Words.split($0).contains(where: Self.banks.contains) }
      && !letsIn(evidence, in: scope)
  }

  /// Returns true if the code pays with a value or lets somebody in, as a VPN does with the number of an
  /// account.
  private func letsIn(_ evidence: Evidence, in scope: Scope) -> Bool {
    let step = uses?.witness(for: evidence.subject, owner: evidence.owner, file: scope.file.path)
    return Words.split(step?.message ?? "").contains {
      ["login", "signin", "log", "sign", "authenticate", "authorization", "header", "keychain"]
        .contains($0) || Self.banks.contains($0)
    }
  }

  /// Words that stand beside the number of an account at a bank.
  private static let banks: Set<String> = [
    "bank", "banks", "banking", "iban", "bic", "swift", "routing", "sort", "branch", "ifsc", "bsb",
    "payout", "payouts", "payment", "payments", "debit", "credit", "card", "cards", "transfer",
    "beneficiary", "payee", "billing", "withdrawal", "deposit",
  ]

  /// Types of the system that hold nothing but secrets.
  private static let secretTypes: Set<String> = [
    "SymmetricKey", "SecKey", "SecIdentity", "PrivateKey", "SecureBytes", "SecureData",
    "SecureString",
  ]

  /// Returns true if the file works with the framework that such a value comes from. A place on a map is not
  /// where the person is, unless the file gets the device's location.
  private func isFromSensor(_ evidence: Evidence, _ scope: Scope) -> Bool {
    switch evidence.sensitivity {
    case .health: scope.file.imports.contains { $0 == "HealthKit" || $0 == "CareKit" }
    case .location:
      // A record of numbers can be that of a shop.
      !(evidence.type.map { Self.numbers.contains(TypeName.plain($0)) } ?? false)
        && scope.file.imports.contains("CoreLocation")
        && (project.functions["locationManager"]?.contains { $0.scope.file === scope.file } == true
          || project.calls["CLLocationManager"]?.contains { $0.scope.file === scope.file } == true)
    default: false
    }
  }
}
