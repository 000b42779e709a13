// Importing the Vault also imports the stores.
@_exported import AtRestCrypto
@_exported import AtRestFiles
@_exported import AtRestKeybag
@_exported import AtRestKeychain
