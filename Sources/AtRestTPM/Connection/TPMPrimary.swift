/// The storage primary key, which is loaded in the TPM.
struct TPMPrimary {
  let handle: UInt32
  let name: TPMName
  /// True if this connection created it in the TPM's memory, false if it is persistent there.
  let isTransient: Bool
}
