import Dispatch

/// Sees whether the keybag of an open store, and the device's record of it, are still those that were
/// read.
struct StoreSight: Sendable {
  /// The result of a look by the paths of both.
  struct Look: Sendable {
    let keybag: ChangeMark?
    let record: ChangeMark?
  }

  /// The two files when they were last read.
  struct Marks: Sendable {
    /// The time in nanoseconds for which a glance is enough.
    private static let freshness: UInt64 = 50_000_000

    fileprivate(set) var keybag: SeenFile?
    fileprivate(set) var record: SeenFile?
    /// The time of the last look that found nothing new, or 0.
    private var time: UInt64

    fileprivate init(keybag: SeenFile?, record: SeenFile?) {
      self.keybag = keybag
      self.record = record
      time = Self.now
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// True if nothing has changed the two files, and a moment ago they were in their places.
    var areUnchanged: Bool {
      guard Self.now - time < Self.freshness, let keybag, keybag.isUnchanged else { return false }
      return record?.isUnchanged ?? false
    }

    /// Returns true if a look finds the two files as they were.
    mutating func areSame(as look: Look) -> Bool {
      // A wipe replaces the record and never removes it. A device folder that cannot be seen now says
      // nothing.
      let isSame =
        keybag != nil && keybag?.mark == look.keybag
        && (look.record == nil || look.record == record?.mark)
      time = isSame ? Self.now : 0
      return isSame
    }
  }

  private let keybag: FileSight
  private let record: FileSight

  init(_ storage: any StoreStorage, _ device: any DeviceKeyProvider, _ store: StoreIdentity) {
    keybag = storage.sight(of: KeybagFile.fileName)
    let name = DeviceRecord.name(store)
    record =
      (device as? any MarkedDevice)?.sight(of: name)
      ?? FileSight { try device.recall(name) }
  }

  /// Looks at both by their paths.
  func look() -> Look { Look(keybag: keybag.look(), record: record.look()) }

  /// Returns the marks of both. Call this before they are read.
  func marks() -> Marks { Marks(keybag: keybag.hold(), record: record.hold()) }

  /// Returns the marks of both, of a keybag that was read after it was seen.
  func marks(after keybag: SeenFile?) -> Marks { Marks(keybag: keybag, record: record.hold()) }
}
