@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Crypto
import Foundation

/// Enrolment codes and devices.
extension KeyServerStore {
  /// A description of a device.
  package struct DeviceDescription: Sendable {
    package let id: Data
    package let account: String
    package let label: String
    package let enrolled: Date
    package let revoked: Date?
  }

  /// Creates a code with which one device can enrol once.
  ///
  /// - Parameter lifetime: The time for which the code is valid, in seconds.
  package func createCode(for account: String, lifetime: Int64 = 86_400) throws -> String {
    let code = Self.randomCode()
    try transaction { transaction in
      let row = try transaction.account(account)
      try transaction.insert(
        .codes, id: codeID(code), owner: row.id, contents: CodeRecord(account: row.id).contents,
        time: transaction.now + lifetime * 1000)
      try transaction.delete(.codes, where: "time < $1", .integer(transaction.now))
      try transaction.log("code created: \(account)")
    }
    return code
  }

  /// Five groups of five characters, 125 bits, without characters that look alike.
  private static func randomCode() -> String {
    let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    let characters = RandomBytes.data(count: 25).map { alphabet[Int($0 & 31)] }
    return stride(from: 0, to: 25, by: 5).map { String(characters[$0..<$0 + 5]) }
      .joined(separator: "-")
  }

  private func codeID(_ code: String) -> Data {
    let normal = code.uppercased().filter { $0 != "-" && !$0.isWhitespace }
    return keys.identifier(.codes, Data(normal.utf8))
  }

  /// Enrols a device with a code, which is used up.
  ///
  /// - Parameter isSigned: Returns true if the request was signed with the device's key.
  /// - Throws: ``AtRestError/Code/notEnrolled`` if the code is wrong, expired or used up, or the
  ///   signature is not valid.
  package func enrol(_ enrolment: Enrolment, sequence: UInt64, isSigned: Bool) throws
    -> Enrolment.Answer
  {
    let device = RandomBytes.data(count: Limits.identifier)
    return try transaction { transaction in
      let id = codeID(enrolment.code)
      guard isSigned, (try? P256.Signing.PublicKey(x963Representation: enrolment.publicKey)) != nil,
        let code = try transaction.row(.codes, id, locked: true), code.time >= transaction.now,
        let accountRow = try transaction.row(.accounts, CodeRecord(code).account, locked: true)
      else { throw Self.notEnrolled }
      let account = try AccountRecord(accountRow)
      guard !account.isRevoked, let key = account.evaluationKey else { throw Self.notEnrolled }
      try transaction.delete(.codes, id)
      let record = DeviceRecord(
        publicKey: enrolment.publicKey, label: enrolment.label, sequence: sequence)
      try transaction.insert(
        .devices, id: device, owner: accountRow.id, contents: record.contents)
      try transaction.log("device enrolled: \(device.hexadecimal) for \(account.account)")
      return Enrolment.Answer(
        realm: realm, device: device, account: account.account,
        publicKey: try key.key.publicKey)
    }
  }

  static let notEnrolled = AtRestError(
    .notEnrolled, "The device is not enrolled, or the code or signature is not valid.",
    remedy: "Ask the operator for a new enrolment code.")

  /// Returns the devices, or those of one account.
  package func devices(of account: String? = nil) throws -> [DeviceDescription] {
    try transaction { transaction in
      var names: [Data: String] = [:]
      let owner = account.map(accountID)
      if let account { _ = try transaction.account(account) }
      try transaction.forEach(.accounts) { names[$0.id] = try AccountRecord($0).account }
      var found: [DeviceDescription] = []
      try transaction.forEach(.devices, owner: owner) { row in
        let record = try DeviceRecord(row)
        found.append(
          DeviceDescription(
            id: row.id, account: names[row.owner] ?? "", label: record.label,
            enrolled: Date(timeIntervalSince1970: Double(row.time) / 1000),
            revoked: record.revokedAt == 0
              ? nil : Date(timeIntervalSince1970: Double(record.revokedAt) / 1000)))
      }
      return found
    }
  }

  /// Revokes a device and destroys its shares. Its next request is refused.
  ///
  /// - Throws: ``AtRestError/Code/notFound``.
  package func revokeDevice(_ id: Data) throws {
    try transaction { transaction in
      guard let row = try transaction.row(.devices, id, locked: true) else {
        throw AtRestError(
          .notFound, "There is no such device.",
          remedy: "List the devices with: atrest-keyserver device list.")
      }
      var record = try DeviceRecord(row)
      if record.revokedAt == 0 { record.revokedAt = transaction.now }
      try transaction.update(.devices, row, contents: record.contents)
      if let attempts = try transaction.row(.attempts, attemptsID(row.owner), locked: true) {
        var remaining = try AttemptsRecord(attempts)
        remaining.remove(id)
        try transaction.update(.attempts, attempts, contents: remaining.contents)
      }
      try transaction.deleteAll(.keys, owner: id)
      try transaction.log("device revoked: \(id.hexadecimal)")
    }
  }
}
