// On Apple's platforms, `import LocalAuthentication` brings the algorithms of keys along.
@_exported import AtRestSecKey
