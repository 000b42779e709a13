#if !canImport(Darwin)
  import AtRestKeychain

  extension FileManager {
    /// Returns the folder that the applications of an application group share, and creates it.
    ///
    /// The groups of the application are those of its keychain: `ATREST_APPLICATION_GROUPS`, or the identity
    /// in which a simulated device runs it. The folder is `<store>.groups/<group>`, beside the store of
    /// `StoreLocation`, and only the user may enter it. A simulated device has a folder of its own for its
    /// groups, which is deleted with the device or when it is erased. Without one, a process with a testing
    /// library has a temporary folder.
    ///
    /// - Returns: The folder, or nil if the application does not have the group or the folder cannot be
    ///   created. A warning in the log says why.
    public func containerURL(
      forSecurityApplicationGroupIdentifier groupIdentifier: String
    ) -> URL? {
      do {
        return try DefaultKeychain.container(ofGroup: groupIdentifier)
      } catch {
        Keychain.logger.warning("There is no container of \(groupIdentifier): \(error)")
        return nil
      }
    }
  }
#endif
