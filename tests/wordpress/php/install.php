<?php
// Installs the site in the folder named first, with a user for every role, and prints their application passwords.
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST']       = (string) parse_url( getenv( 'MOLVA_SITE_URL' ), PHP_URL_HOST );
$_SERVER['REQUEST_METHOD']  = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_URI']     = '/';
$folder = $argv[1];
require $folder . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

// A letter to the new administrator has nowhere to go.
function wp_new_blog_notification() {}
wp_install( 'Проверка', 'admin', 'admin@example.test', true, '', 'account-password-of-admin' );
update_option( 'timezone_string', 'Europe/Moscow' );
global $wp_rewrite;
$wp_rewrite->set_permalink_structure( '/%postname%/' );
update_option( 'rewrite_rules', '' );

$users = array( 'admin' => 'administrator', 'redaktor' => 'editor', 'avtor' => 'author', 'gost' => 'contributor', 'chitatel' => 'subscriber' );
$made  = array();
foreach ( $users as $login => $role ) {
	$id = username_exists( $login );
	if ( ! $id ) {
		$id = wp_insert_user(
			array(
				'user_login' => $login,
				'user_pass'  => 'account-password-of-' . $login,
				'user_email' => $login . '@example.test',
				'role'       => $role,
			)
		);
	}
	list( $password ) = WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'tests' ) );
	$made[ $role ]    = array( 'id' => $id, 'login' => $login, 'email' => $login . '@example.test', 'password' => $password );
}
echo "\n" . json_encode( array( 'version' => $GLOBALS['wp_version'], 'users' => $made ) );
