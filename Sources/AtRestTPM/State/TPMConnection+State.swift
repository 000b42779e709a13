@_spi(Tools) import AtRestCrypto
import CAtRestTPM
import Foundation

extension TPMConnection {
  /// Returns the TPM's maker and version, and the state of its dictionary-attack protection.
  ///
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if this is not a TPM 2.0.
  package func state() throws -> TPMState {
    let fixed = try properties(from: 0x100, count: 16)
    let variable = try properties(from: 0x200, count: 20)
    guard text(fixed[0x100]) == "2.0" else {
      throw TPMTransport.unreachable(tpm.transport, cause: nil)
    }
    func number(_ property: UInt32) -> Int { Int(variable[property] ?? 0) }
    let permanent = variable[0x200] ?? 0
    let versions = [fixed[0x10B] ?? 0, fixed[0x10C] ?? 0]
    return TPMState(
      manufacturer: text(fixed[0x105]),
      vendor: text(fixed[0x106], fixed[0x107], fixed[0x108], fixed[0x109]),
      firmware: versions.flatMap { [$0 >> 16, $0 & 0xFFFF] }.map(String.init)
        .joined(separator: "."),
      isLockoutAuthorizationSet: permanent & 0x4 != 0,
      isOwnerAuthorizationSet: permanent & 0x1 != 0,
      isLockedOut: permanent & 0x200 != 0,
      wrongAttempts: number(0x20E), maximumWrongAttempts: number(0x20F),
      secondsPerAttempt: number(0x210), secondsOfLockoutRecovery: number(0x211))
  }

  /// Returns up to 128 properties from one on, by their number (`TPM_PT`).
  private func properties(from first: UInt32, count: UInt32) throws -> [UInt32: UInt32] {
    let wire = try capability(
      TPMConstants.capabilityProperties, from: first, count: count, session: nil)
    return try wire.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The TPM's list of properties")
      _ = try reader.integer(UInt32.self)
      var properties: [UInt32: UInt32] = [:]
      for _ in 0..<min(try reader.integer(UInt32.self), 128) {
        let property = try reader.integer(UInt32.self)
        properties[property] = try reader.integer(UInt32.self)
      }
      return properties
    }
  }

  /// Returns the wire form of a capability (`TPMS_CAPABILITY_DATA`).
  ///
  /// - Parameter session: A session that authenticates the answer, or nil.
  func capability(
    _ capability: UInt32, from first: UInt32, count: UInt32, session: UInt32?
  ) throws -> [UInt8] {
    let none = TPMConstants.libraryNone
    var more: UInt8 = 0
    var data: UnsafeMutableRawPointer?
    try run("GetCapability") {
      functions.capability(
        context, session ?? none, none, none, capability, first, count, &more, &data)
    }
    return try tss.wire(of: data, \.write_capability)
  }

  /// The characters of properties, without zeros, and without spaces at the end.
  private func text(_ values: UInt32?...) -> String {
    let bytes = values.compactMap(\.self).flatMap { value in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
    let visible = bytes.filter { (0x20...0x7E).contains($0) }
    return String(decoding: visible, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }
}
