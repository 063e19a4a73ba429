<?php
// What the site of a test has besides WordPress itself: meta keys that REST shows, and switches for what a site may turn off.
add_action(
	'init',
	function () {
		foreach ( array( '_yoast_wpseo_title', '_yoast_wpseo_metadesc' ) as $key ) {
			register_post_meta(
				'post',
				$key,
				array(
					'show_in_rest'  => true,
					'single'        => true,
					'type'          => 'string',
					'auth_callback' => function () {
						return current_user_can( 'edit_posts' );
					},
				)
			);
		}
	}
);
if ( is_file( WP_CONTENT_DIR . '/no-application-passwords' ) ) {
	add_filter( 'wp_is_application_passwords_available', '__return_false' );
}
if ( is_file( WP_CONTENT_DIR . '/plain-permalinks' ) ) {
	add_filter( 'pre_option_permalink_structure', '__return_empty_string' );
}
if ( is_file( WP_CONTENT_DIR . '/refuse-bad-passwords' ) ) {
	// Whoever asks before WordPress itself who is there makes it notice a wrong password.
	add_filter(
		'rest_authentication_errors',
		function ( $result ) {
			is_user_logged_in();
			return $result;
		}
	);
}
