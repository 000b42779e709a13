extension RuntimeIntegrity {
  /// The smallest useful limit of locked memory, in bytes. `SecretBytes` locks memory in units of
  /// 64 KiB, so with a lower limit not one unit can be locked.
  private static let leastLocked: UInt64 = 65_536

  func coreDumps() throws -> RuntimeFinding {
    let off = "Make the program disable core dumps at its start, or set ulimit -c 0."
    guard environment.platform != .other else {
      return undetermined(.coreDumps, "Core dumps cannot be checked on this system.")
    }
    guard try environment.isDumpable() else {
      return RuntimeFinding(.coreDumps, .clear, "The program leaves no core dump.")
    }
    if environment.platform == .linux,
      let filter = try environment.text("/proc/self/coredump_filter"),
      let bits = UInt32(filter.trimmed, radix: 16), bits & 3 == 0
    {
      return RuntimeFinding(.coreDumps, .clear, "Core dumps leave the program's memory out.")
    }
    let limit = try environment.coreLimit()
    if limit > 0 {
      let size = limit == .max ? "of any size" : "of up to \(limit) bytes"
      return RuntimeFinding(
        .coreDumps, .found,
        "A crash writes the program's memory to a file (core dump \(size)). Keys in locked memory are "
          + "left out; values that the program took out are not.", severity: .medium, remedy: off)
    }
    if environment.platform == .linux {
      guard let pattern = try environment.text("/proc/sys/kernel/core_pattern") else {
        return undetermined(
          .coreDumps, "/proc/sys/kernel/core_pattern does not say where dumps are written.")
      }
      // A limit of 0 does not apply to dumps that are passed to a program.
      if pattern.hasPrefix("|") {
        let program = pattern.dropFirst().prefix { !$0.isWhitespace }
        return RuntimeFinding(
          .coreDumps, .found,
          "A crash passes the program's memory to \(program), whatever the limit of core dumps is.",
          severity: .low, remedy: "Make the program disable core dumps at its start.")
      }
    }
    return RuntimeFinding(.coreDumps, .clear, "The limit of core dumps is 0.")
  }

  func swap() throws -> RuntimeFinding {
    switch environment.platform {
    case .mac: return RuntimeFinding(.swap, .clear, "The system encrypts its swap.")
    case .appleMobile:
      return RuntimeFinding(
        .swap, .clear, "The system does not write program memory to disk in plaintext.")
    case .other: return undetermined(.swap, "Swap cannot be checked on this system.")
    case .linux: break
    }
    guard let swaps = try environment.text("/proc/swaps") else {
      return undetermined(.swap, "/proc/swaps does not say whether there is swap.")
    }
    let places = swaps.split(separator: "\n").dropFirst()
      .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
    let plain = places.filter { !isSafe($0) }
    guard !plain.isEmpty else {
      return RuntimeFinding(
        .swap, .clear, places.isEmpty ? "Swap is off." : "Swap is encrypted or in memory.")
    }
    let limit = try environment.lockedMemoryLimit()
    // Root may lock memory regardless of the limit.
    let locks = limit >= Self.leastLocked || environment.user() == 0
    return RuntimeFinding(
      .swap, .found,
      "Memory may be written to \(Self.list(plain)), which is not known to be encrypted"
        + (locks
          ? ". Keys in locked memory are not; values that the program took out may be."
          : ", including keys: only \(limit) bytes may be locked."),
      severity: locks ? .low : .medium,
      remedy: locks
        ? "Encrypt swap, or turn it off (swapoff -a)."
        : "Raise the limit of locked memory (ulimit -l), and encrypt swap or turn it off.")
  }

  /// Returns true if the swap space is compressed memory or is on a device that dm-crypt encrypts.
  private func isSafe(_ place: String) -> Bool {
    if place.hasPrefix("/dev/zram") { return true }
    guard place.hasPrefix("/dev/dm-"),
      let kind = try? environment.text("/sys/block/\(place.dropFirst(5))/dm/uuid")
    else { return false }
    return kind.hasPrefix("CRYPT-")
  }
}
