import AtRestCrypto
import AtRestTPM
import Foundation

/// A device key in a TPM 2.0, which only that TPM can open.
///
/// ```swift
/// let device = try TPMDeviceKey.create(in: folder).device
/// let keybag = try Keybag.create(at: store, device: device, passcode: passcode)
/// ```
///
/// - A copy of the disk opens nothing: neither the device key nor, with a passcode, the *passcode
///   secret* leaves the TPM. Each attempt needs the TPM, which counts the wrong ones.
/// - The TPM's counter detects a device folder that was put back to a state from before its last step,
///   whatever is put back with it. It is stepped with each change of a keybag, and otherwise with a write
///   that comes at least ten minutes after the last step, because its memory wears out. Records can be
///   put back to a state that they had since the last step.
/// - The share of a store's key in the device's record is sealed for one value of another counter, which
///   each change of a keybag steps. The TPM refuses a former one, even to a program that may use the TPM
///   and forges the rest of the folder.
/// - The TPM's primary key is trusted when the device key is made or moved into the TPM, and pinned from
///   then on.
/// - If the TPM is cleared or breaks, or its board is replaced, the stores of this device are lost.
///   Make backups.
///
/// The library for TPMs (tpm2-tss) is loaded at run time, so a program without it can still use
/// ``FileDeviceKey``. Opening needs the TPM once, each unlock once, and items never. The object may be
/// used from several threads.
package final class TPMDeviceKey: DeviceKeyProvider, ListedDevice {
  /// The folder beside the files of a ``FileDeviceKey`` that has everything of this kind of key.
  static let folderName = "tpm"

  /// The folder of the device.
  package let folder: URL
  let tpm: TPM
  let file: TPMDeviceFile
  let key: SecretBytes
  let records: AnchoredRecords
  let counter: DeviceCounter
  private let device: DeviceFolder
  private let use: DeviceUse?

  /// Opens the device key in a folder.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the folder has no device key in a TPM;
  ///   ``AtRestError/Code/deviceUnavailable`` if the TPM cannot be used;
  ///   ``AtRestError/Code/otherDevice`` if it is another TPM or was cleared;
  ///   ``AtRestError/Code/notPermitted`` if the user may not use the TPM, or if the PCRs of the
  ///   policy changed (then see ``reseal(in:recoveryKey:pcrs:)``);
  ///   ``AtRestError/Code/rolledBack`` if the folder was put back to an earlier state;
  ///   ``AtRestError/Code/damaged`` if a file or the TPM's counter was modified;
  ///   ``AtRestError/Code/busy`` if the TPM is busy, or the key is being moved.
  package convenience init(in folder: URL) throws {
    try self.init(in: folder, transport: TPM.defaultTransport)
  }

  package convenience init(
    in folder: URL, transport: String, clock: BootClock = .system,
    interval: UInt64 = AnchoredRecords.usualInterval
  ) throws {
    try self.init(
      in: folder, transport: transport, clock: clock, interval: interval,
      use: try DeviceUse.begin(in: folder))
  }

  init(
    in folder: URL, transport: String, clock: BootClock, interval: UInt64, use: DeviceUse?
  ) throws {
    let storage = Self.storage(in: folder)
    let path = storage.path(TPMDeviceFile.name)
    guard let stored = try storage.read(TPMDeviceFile.name) else {
      throw AtRestError(
        .notFound, "There is no device key \(path).",
        remedy: "Create one (atrest init --device-root tpm), or name its folder (--device).")
    }
    let file = try TPMDeviceFile.decoded(stored, path: path)
    let tpm = TPM(transport: transport, primary: file.primary)
    let (key, value) = try tpm.perform { connection in
      let key = SecretBox(try Self.unsealed(file, connection))
      try Self.check(stored, key.bytes, path: path)
      return (
        key,
        try connection.value(
          of: file.counter, authorization: DeviceCounter.authorization(key.bytes))
      )
    }
    self.folder = folder
    self.tpm = tpm
    self.file = file
    self.use = use
    self.key = key.bytes.duplicate()
    device = DeviceFolder(storage, patience: FolderLock.usualPatience)
    counter = DeviceCounter(tpm, file.counter, deviceKey: key.bytes)
    records = try AnchoredRecords(
      device, counter, value: value, deviceKey: key.bytes, clock: clock, interval: interval)
    // What is left of an interrupted move. Each opening tries again, and `risks` names it meanwhile.
    try? Self.removeLeftovers(in: folder)
  }

  static func unsealed(
    _ file: TPMDeviceFile, _ connection: TPMConnection
  ) throws -> SecretBytes {
    do {
      return try connection.unseal(file.key)
    } catch let error as AtRestError where error.code == .notPermitted && file.key.policy != nil {
      throw AtRestError(
        .notPermitted, error.message,
        remedy:
          "Undo the change. If it was meant, seal the key again with the recovery key: atrest "
          + "device reseal --from-recovery-key.", cause: error.cause)
    }
  }

  static func check(_ stored: Data, _ key: borrowing SecretBytes, path: String) throws {
    guard TPMDeviceFile.isAuthentic(stored, under: key) else {
      throw AtRestError.damaged(
        "The device key \(path) was modified.",
        remedy: "Put the device folder back as it was, or restore a backup into a new store.")
    }
  }

  static func storage(in folder: URL) -> FolderStorage {
    FolderStorage(folder.appendingPathComponent(folderName), followsLink: false)
  }

  /// Returns true if a folder has a device key in a TPM.
  static func isPresent(in folder: URL) throws -> Bool {
    try storage(in: folder).contains(TPMDeviceFile.name)
  }

  // MARK: Records

  package func recall(_ name: String) throws -> Data? { try records.recall(name) }

  package func remember(_ data: Data, as name: String, durably: Bool) throws {
    try records.write(data, as: name) {
      try device.remember($0, as: name, durably: durably)
    }
  }

  package func rememberErasing(_ data: Data, as name: String) throws {
    try records.writeSecret(data, as: name) { try device.rememberErasing($0, as: name) }
  }

  package func releaseHardware(for name: String) throws {
    try records.writeUnsealed(name) { try device.rememberErasing($0, as: name) }
  }

  package func forget(_ name: String) throws {
    guard try recall(name) != nil else { return }
    // The record stays, without its data, until the next step. Otherwise an earlier one could take
    // its place.
    try records.write(nil, as: name) { try device.rememberErasing($0, as: name) }
  }

  package func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try device.exclusively(name, body)
  }

  package func names() throws -> [String] { try records.names() }

  /// The PCRs to which the key is bound.
  package var pcrs: [Int] { file.key.policy?.pcrs ?? [] }

  /// Reads the value of the device's counter from the TPM.
  ///
  /// - Throws: The errors of ``init(in:)``.
  package func counterValue() throws -> UInt64 {
    try tpm.perform {
      try $0.value(of: file.counter, authorization: DeviceCounter.authorization(key))
    }
  }

  // MARK: Keys

  package func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    key.tangle(input, purpose)
  }

  package var keepsPasscodeSecrets: Bool { true }

  package func makePasscodeSecret(authorization: borrowing SecretBytes) throws -> Data {
    let authorization = SecretBox(authorization.duplicate())
    return try tpm.perform {
      try $0.seal(.random(count: 32), authorization: authorization.bytes.duplicate()).data
    }
  }

  package func tangle(
    _ input: borrowing SecretBytes, passcodeSecret: Data,
    authorization: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes {
    // A passcode from before the key was moved into the TPM has no secret there.
    guard !passcodeSecret.isEmpty else { return key.tangle(input, purpose) }
    let object = try TPMObject(passcodeSecret)
    let authorization = SecretBox(authorization.duplicate())
    let secret = try tpm.perform {
      try $0.unseal(object, authorization: authorization.bytes.duplicate())
    }
    return key.tangle(secret.tangle(input, purpose), purpose)
  }

  package var hardwareKeys: (any HardwareKeyProvider)? { TPMHardwareKeys(tpm: tpm) }

  package var risks: [StoreRisk] { Self.leftoverRisks(in: folder) + stateRisks }

  private var stateRisks: [StoreRisk] {
    guard let state = try? tpm.perform({ try $0.state() }) else {
      return [
        StoreRisk(
          id: "tpm-unavailable", message: "The TPM with the device key cannot be used now.",
          remedy: "Find out why: atrest device status.")
      ]
    }
    var risks: [StoreRisk] = []
    if !state.isLockoutAuthorizationSet {
      risks.append(
        StoreRisk(
          id: "tpm-lockout-unprotected",
          message:
            "Everyone who may use the TPM may reset its count of wrong passcodes, because its "
            + "lockout hierarchy has no password.",
          remedy: "Set one as the administrator, and keep it: tpm2_changeauth -c lockout."))
    }
    if state.secondsPerAttempt == 0 || state.maximumWrongAttempts == 0 {
      risks.append(
        StoreRisk(
          id: "tpm-counts-nothing", message: "The TPM does not count wrong passcodes.",
          remedy: "Set its limits as the administrator: tpm2_dictionarylockout --setup-parameters.")
      )
    }
    return risks
  }
}
