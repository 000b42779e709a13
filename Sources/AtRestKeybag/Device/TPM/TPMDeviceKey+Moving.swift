import AtRestCrypto
import AtRestTPM
import Foundation

/// Moving a device key between a file and a TPM, and changing its policy.
extension TPMDeviceKey {
  /// Moves the device key of a folder from a file into the TPM. The key stays the same, so every store
  /// of the device stays as it is.
  ///
  /// After a crash, the key is in the file or in the TPM. A passcode gets its secret in the TPM when it
  /// is next changed: `Keybag.bindPasscode(_:)`. Whoever has a copy of the former file still has
  /// the device key. The file is erased before the call returns.
  ///
  /// - Returns: The key, and its recovery key if there is a PCR policy.
  /// - Throws: ``AtRestError/Code/notFound`` if the folder has no key in a file;
  ///   ``AtRestError/Code/busy`` if another program uses the folder; the errors of
  ///   ``create(in:pcrs:)``. If the file cannot be erased, the error is
  ///   ``AtRestError/Code/notPermitted`` or ``AtRestError/Code/system``. The key then usually stays in the
  ///   file; if the message says that it is in the TPM, ``risks`` has `device-key-in-file`, and each
  ///   opening tries again.
  package static func moveIntoTPM(in folder: URL, pcrs: [Int] = []) throws -> Creation {
    try moveIntoTPM(in: folder, pcrs: pcrs, transport: TPM.defaultTransport)
  }

  package static func moveIntoTPM(
    in folder: URL, pcrs: [Int] = [], transport: String, clock: BootClock = .system
  ) throws -> Creation {
    let use = try DeviceUse.beginAlone(in: folder)
    let recovery: SecretBox?
    do {
      let storage = FolderStorage(folder)
      guard try !isPresent(in: folder), let key = try FileDeviceKey.stored(in: storage) else {
        throw AtRestError(
          .notFound, "There is no device key in a file in \(folder.path).",
          remedy: "Name the folder of the device key (--device, ATREST_DEVICE).")
      }
      try checkIsErasable(in: folder)
      let device = DeviceFolder(storage, patience: FolderLock.usualPatience)
      var records: [String: Data] = [:]
      defer { for name in records.keys { records[name]?.erase() } }
      for name in try device.names() { records[name] = try device.recall(name) }
      recovery = try install(
        key.bytes.duplicate(), records: records, pcrs: pcrs, in: folder, transport: transport,
        clock: clock)
    }
    let device = try TPMDeviceKey(
      in: folder, transport: transport, clock: clock, interval: AnchoredRecords.usualInterval,
      use: use)
    do {
      try removeLeftovers(in: folder)
    } catch let error as AtRestError {
      throw AtRestError(
        .system,
        "The device key is in the TPM, but its former file is still there. " + error.message,
        remedy:
          "Make the folder and the file writable (chmod, chattr -i), and open the store: that "
          + "erases the file."
          + (pcrs.isEmpty
            ? ""
            : " The recovery key was not kept: run atrest device reseal without --pcr, and then "
              + "again with it."),
        cause: error)
    }
    return Creation(device: device, recovery: recovery)
  }

  /// Moves the device key of a folder from the TPM into a file, which can be copied.
  ///
  /// Release the passcodes of all stores of the device first (`Keybag.releasePasscode(_:)`): a
  /// passcode whose secret is in the TPM opens nothing afterwards.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if another program uses the folder; the errors of
  ///   ``init(in:)``; ``AtRestError/Code/system``.
  package static func moveIntoFile(in folder: URL) throws {
    try moveIntoFile(in: folder, transport: TPM.defaultTransport)
  }

  package static func moveIntoFile(in folder: URL, transport: String) throws {
    let use = try DeviceUse.beginAlone(in: folder)
    let device = try TPMDeviceKey(
      in: folder, transport: transport, clock: .system, interval: .max, use: use)
    let storage = FolderStorage(folder)
    var records = try device.records.all()
    defer { for name in records.keys { records[name]?.erase() } }
    for (name, data) in records { try storage.replace(name, with: data) }
    try FileDeviceKey.write(device.key, into: storage)
    // From this rename on, the key is the one in the file. Until then, it is the one in the TPM, and
    // the files that were just written are removed at the next opening.
    let parent = try storage.made()
    guard parent.rename(folderName, to: formerName) else {
      throw SystemCall.error("remove", Self.storage(in: folder).location)
    }
    try parent.flush()
    // The key is in the file. What this leaves behind is sealed by the TPM; ``risks`` of the key in the
    // file name it, and each opening tries again.
    try? discard(formerName, in: folder, device.tpm)
  }

  /// Seals the device key again under other PCRs, or under their present values.
  ///
  /// - Parameters:
  ///   - recoveryKey: The recovery key, if the PCRs have changed and the TPM refuses the key. It stays
  ///     valid. nil opens the key in the TPM.
  ///   - pcrs: The registers, or none for no policy.
  /// - Returns: A new recovery key if there was none before, 32 bytes.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the recovery key is wrong; the errors of
  ///   ``init(in:)``.
  package static func reseal(
    in folder: URL, recoveryKey: consuming SecretBytes? = nil, pcrs: [Int]
  ) throws -> SecretBytes? {
    try reseal(
      in: folder, recoveryKey: recoveryKey, pcrs: pcrs, transport: TPM.defaultTransport)
  }

  package static func reseal(
    in folder: URL, recoveryKey: consuming SecretBytes? = nil, pcrs: [Int], transport: String
  ) throws -> SecretBytes? {
    let given: SecretBox? =
      switch consume recoveryKey {
      case .some(let key): SecretBox(key)
      case .none: nil
      }
    let storage = storage(in: folder)
    let path = storage.path(TPMDeviceFile.name)
    let policy = pcrs.isEmpty ? nil : try TPMPolicy(pcrs: pcrs)
    return try storage.exclusively {
      guard let stored = try storage.read(TPMDeviceFile.name) else {
        throw AtRestError(
          .notFound, "There is no device key \(path).",
          remedy: "Name the folder of a device key in a TPM (--device, ATREST_DEVICE).")
      }
      var file = try TPMDeviceFile.decoded(stored, path: path)
      var made: SecretBox?
      try TPM(transport: transport, primary: file.primary).perform { connection in
        let key = SecretBox(
          try given.map { try recovered(file, $0) } ?? unsealed(file, connection))
        try check(stored, key.bytes, path: path)
        file.key = try connection.seal(key.bytes.duplicate(), policy: policy)
        if policy == nil {
          file.recovery = Data()
        } else if file.recovery.isEmpty {
          let recovery = SecretBox(.random(count: recoveryKeyCount))
          file.recovery = try wrap(key, under: recovery)
          made = recovery
        }
        try storage.replaceErasing(TPMDeviceFile.name, with: file.encoded(key.bytes))
      }
      guard let made else { return nil }
      return made.bytes.duplicate()
    }
  }

  private static func recovered(_ file: TPMDeviceFile, _ recovery: SecretBox) throws -> SecretBytes
  {
    do {
      return try recoveryWrap(recovery).unwrap(file.recovery, name: "The device key")
    } catch AtRestError.Code.damaged {
      throw AtRestError(
        .authenticationFailed, "The recovery key is not that of this device key.",
        remedy: "Use the one that was written when the PCR policy was set.")
    }
  }
}
