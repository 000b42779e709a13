// Whoever imports the Vault has the stores too.
@_exported import AtRestCrypto
@_exported import AtRestFiles
@_exported import AtRestKeybag
@_exported import AtRestKeychain
