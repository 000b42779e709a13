import AtRestCrypto
import AtRestKeybag
import Foundation

/// Preparing the contents of a row, and refusing every protection that cannot be met.
extension ItemWriter {
  /// Returns the metadata of a new item.
  func prepareMetadata(
    for key: PrimaryKey, attributes: ItemAttributes, protection: ItemProtection,
    isHardwareKey: Bool
  ) throws -> ItemMetadata {
    let group = key.group ?? finder.identity.defaultGroup
    try finder.identity.check(group)
    try checkProtection(
      protection, isSynchronizable: key.isSynchronizable, itemClass: key.itemClass)
    if isHardwareKey {
      try checkHardwareKey(protection.accessibility, isSynchronizable: key.isSynchronizable)
    }
    var all = try key.attributes.merging(attributes).normalized(for: key.itemClass)
    for attribute in key.itemClass.primaryKeyAttributes
    where all[attribute] != key.attributes[attribute] {
      throw AtRestError.invalid(
        "The attribute \(attribute) is given twice with different values.",
        remedy: "Give it in the primary key only.")
    }
    all[.creationDate] = .date(clock())
    all[.modificationDate] = all[.creationDate]
    var metadata = ItemMetadata(
      group: group, isSynchronizable: key.isSynchronizable, isHardwareKey: isHardwareKey,
      attributes: all, accessControl: protection.accessControl)
    metadata.enrolment = try reader.decision.enrolment(for: protection.accessControl)
    return metadata
  }

  /// Returns the metadata of an item after a change.
  ///
  /// - Parameter accessibility: The accessibility after the change.
  func changedMetadata(
    of former: ItemMetadata, by change: ItemChange, itemClass: ItemClass,
    accessibility: Accessibility
  ) throws -> ItemMetadata {
    var metadata = former
    for attribute in change.removed { metadata.attributes[attribute] = nil }
    metadata.attributes = metadata.attributes.merging(
      try change.attributes.normalized(for: itemClass))
    metadata.attributes[.modificationDate] = .date(clock())
    if let isSynchronizable = change.isSynchronizable {
      metadata.isSynchronizable = isSynchronizable
    }
    if let group = change.group {
      try finder.identity.check(group)
      metadata.group = group
    }
    if let protection = change.protection, metadata.accessControl != protection.accessControl {
      metadata.accessControl = protection.accessControl
      metadata.enrolment = try reader.decision.enrolment(for: protection.accessControl)
    }
    try checkExportStays(former, metadata)
    if metadata.isHardwareKey {
      try checkHardwareKey(accessibility, isSynchronizable: metadata.isSynchronizable)
      try checkHardwareKeyStays(former, metadata)
    }
    if change.protection != nil || change.isSynchronizable != nil {
      try checkProtection(
        metadata.accessControl.map { .controlled($0) } ?? .accessible(accessibility),
        isSynchronizable: metadata.isSynchronizable, itemClass: itemClass)
    }
    return metadata
  }

  /// Returns the contents of the secret box: the secret, which is first sealed with the application
  /// password if the access control requires one.
  func makePayload(
    _ secret: UnsafeRawBufferPointer, for metadata: inout ItemMetadata
  ) throws -> SecretBytes {
    metadata.applicationPassword = nil
    guard metadata.accessControl?.applicationPassword == true else {
      return SecretBytes(copying: secret)
    }
    // The KDF has the same cost as the KDF of the passcode.
    let parameters = (kdf: finder.keybag.kdf, salt: RandomBytes.data(count: 16))
    metadata.applicationPassword = parameters
    return SecretBytes(
      try reader.decision.applicationKey(kdf: parameters.kdf, salt: parameters.salt)
        .seal(secret, context: parameters.salt))
  }

  // MARK: Refusals

  /// Refuses a change that would make a key exportable.
  private func checkExportStays(_ former: ItemMetadata, _ metadata: ItemMetadata) throws {
    let becomesExtractable =
      former.attributes[.isExtractable] == 0 && metadata.attributes[.isExtractable] != 0
    if !former.isExportable && (metadata.isExportable || becomesExtractable) {
      throw AtRestError(
        .notPermitted, "A key that cannot be exported cannot be made exportable.",
        remedy: "Create a new key.")
    }
  }

  /// Refuses protections that could never be met, before anything is written.
  private func checkProtection(
    _ protection: ItemProtection, isSynchronizable: Bool, itemClass: ItemClass
  ) throws {
    // Apple's documentation forbids this combination, but its keychain accepts it, and applications
    // use it.
    if isSynchronizable && !protection.accessibility.keyClass.isMigratable {
      KeychainLog.logger.warning(
        "A synchronizable item is bound to this device, so it cannot reach another",
        metadata: ["accessibility": "\(protection.accessibility.name)"])
    }
    guard let accessControl = protection.accessControl else { return }
    if isSynchronizable {
      throw AtRestError.invalid(
        "A synchronizable item cannot have access control.",
        remedy: "Leave out one of the two.")
    }
    if accessControl.privateKeyUsage && itemClass != .key {
      throw AtRestError.invalid(
        "Private-key usage applies only to keys.",
        remedy: "Leave it out for \(itemClass.rawValue).")
    }
    try reader.decision.checkAttainable(accessControl)
  }
}
